import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ListKind } from './claim.ts';

/**
 * A part of a long list: the registrations that were created, or changed, from one time to another. It
 * is deleted when all its pages are crawled.
 */
@Entity('crawl_windows')
export class CrawlWindow {
  @PrimaryColumn('bigint')
  applicationId!: number;

  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('text')
  kind!: ListKind;

  /** The sequence of the divided crawl. */
  @Column('bigint')
  sequence!: number;

  /** Null for the first window of a list without a beginning. */
  @Column('timestamptz', { nullable: true })
  since!: Date | null;

  /** Null for the last window. */
  @Column('timestamptz', { nullable: true })
  until!: Date | null;

  /** The provider's token for the next page; null before the first page. */
  @Column('text', { nullable: true })
  more!: string | null;

  /** Number of items that have been read. */
  @Column('integer', { default: 0 })
  items!: number;

  /** Number of consecutive failures. */
  @Column('integer', { default: 0 })
  failures!: number;

  @Column('timestamptz', { default: () => 'now()' })
  dueAt!: Date;

  /** When the current lease expires. */
  @Column('timestamptz', { default: () => "'-infinity'" })
  leaseUntil!: Date | number;

  /** Rises with every claim. The holder of an older epoch cannot write. */
  @Column('bigint', { default: 0 })
  epoch!: number;
}
