import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Invitation } from './invitation.entity.ts';

/** The free seats of a license for a course (contract/invitations#seats). */
@Entity('invitation_seats')
@Check('free >= 0')
export class InvitationSeats {
  @ForeignKey(() => Invitation)
  @PrimaryColumn('bigint')
  invitationId!: number;

  @PrimaryColumn('text')
  courseGuid!: string;

  @Column('integer')
  free!: number;
}
