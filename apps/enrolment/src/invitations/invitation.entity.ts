import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** An invitation, or a license (contract/invitations#record). */
@Entity('invitations')
@Unique(['realmId', 'name'])
export class Invitation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('bigint')
  realmId!: number;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('boolean')
  enabled!: boolean;

  @Column('boolean')
  license!: boolean;

  @Column('boolean')
  avoidDuplicateRegistrations!: boolean;

  @Column('boolean')
  noUpdatesAllowed!: boolean;

  /** The text of the last create or update. The seats in it are out of date. */
  @Column('text', { nullable: true })
  custom!: string | null;

  @Column('bigint', { nullable: true })
  invitationTemplateId!: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
