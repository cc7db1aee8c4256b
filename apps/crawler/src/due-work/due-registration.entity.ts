import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A registration to crawl by its GUID. Without a foreign key: an event may name an application that
 * the crawler does not know yet.
 */
@Entity('due_registrations')
@Index(['applicationId', 'dueAt'])
export class DueRegistration {
  @PrimaryColumn('bigint')
  applicationId!: number;

  @PrimaryColumn('text')
  registrationGuid!: string;

  @Column('timestamptz')
  dueAt!: Date;

  /** Number of crawls since the last launch. */
  @Column('integer')
  step!: number;
}
