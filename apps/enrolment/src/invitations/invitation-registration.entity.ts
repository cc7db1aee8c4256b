import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Invitation } from './invitation.entity.ts';

/**
 * The registration that a learner got through an invitation. It outlasts the learner's removal: a
 * learner who is added again gets the registration back, and the seat that a launched course keeps
 * (contract/invitations#restored-registration).
 */
@Entity('invitation_registrations')
export class InvitationRegistration {
  @ForeignKey(() => Invitation)
  @PrimaryColumn('bigint')
  invitationId!: number;

  /** The e-mail address in lower case. */
  @PrimaryColumn('text')
  learnerKey!: string;

  @PrimaryColumn('text')
  courseGuid!: string;

  @Column('bigint')
  registrationId!: number;

  @Column('boolean')
  holdsSeat!: boolean;
}
