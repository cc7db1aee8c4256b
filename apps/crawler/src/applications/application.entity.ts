import type { CrawlType } from '@registrar/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A provider application to crawl, under the id that the identity context gave it. Its timestamps
 * are minus infinity until they are first set.
 */
@Entity('applications')
@Index(['lastServedAt', 'id'])
export class Application {
  @PrimaryColumn('bigint')
  id!: number;

  @Column('bigint')
  realmId!: number;

  /** It is not crawled: its realm is disabled, or the operator has paused it. */
  @Column('boolean', { default: false })
  isPaused!: boolean;

  @Column('boolean', { default: false })
  isPausedByOperator!: boolean;

  /** The most calls of clients and crawls in any second; null for that of the settings. */
  @Column('integer', { nullable: true })
  callsPerSecond!: number | null;

  /** The most calls of crawls in any second; null for that of the settings. */
  @Column('integer', { nullable: true })
  ratePerSecond!: number | null;

  /** The shortest interval of crawls of changes; null for that of the settings. */
  @Column('integer', { nullable: true })
  intervalSeconds!: number | null;

  /** Null for that of the settings. */
  @Column('text', { nullable: true })
  crawlType!: CrawlType | null;

  /** When a replica last claimed work of the application. */
  @Column('timestamptz', { default: () => "'-infinity'" })
  lastServedAt!: Date | number;

  /** Before this time its rate limit allows no call. */
  @Column('timestamptz', { default: () => "'-infinity'" })
  serveAfter!: Date | number;

  /** When the current lease expires. */
  @Column('timestamptz', { default: () => "'-infinity'" })
  leaseUntil!: Date | number;

  /** Rises with every claim. The holder of an older epoch cannot write. */
  @Column('bigint', { default: 0 })
  epoch!: number;
}
