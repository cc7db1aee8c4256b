import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Invitation } from './invitation.entity.ts';

/** A course of an invitation. */
@Entity('invitation_courses')
export class InvitationCourse {
  @ForeignKey(() => Invitation)
  @PrimaryColumn('bigint')
  invitationId!: number;

  /** The position in `course_guids` of the record. */
  @Column('integer')
  place!: number;

  @Column('bigint')
  providerApplicationId!: number;

  @PrimaryColumn('text')
  courseGuid!: string;
}
