import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';
import { Invitation } from './invitation.entity.ts';

/** A learner who is in an invitation. A unique index ignores the case of the address. */
@Entity('invitation_learners')
export class InvitationLearner {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @ForeignKey(() => Invitation)
  @Column('bigint')
  invitationId!: number;

  /** The e-mail address as it was given. */
  @Column('text')
  learnerId!: string;

  @Column('bigint')
  userId!: number;
}
