import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A finished crawl. */
@Entity('crawl_history')
@Index(['applicationId', 'id'])
export class CrawlHistoryEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('bigint')
  applicationId!: number;

  @Column('text')
  kind!: string;

  @Column('text')
  outcome!: 'done' | 'failed';

  /** Number of registrations or courses that the crawl read. */
  @Column('integer')
  items!: number;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('timestamptz')
  startedAt!: Date;

  @Index()
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  finishedAt!: Date;
}
