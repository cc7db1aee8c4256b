import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Application } from '../applications/application.entity.ts';
import type { CrawlKind } from './claim.ts';

/** The schedule of one kind of crawl of a provider application, and the crawl in progress. */
@Entity('due_crawls')
export class DueCrawl {
  @ForeignKey(() => Application)
  @PrimaryColumn('bigint')
  applicationId!: number;

  @PrimaryColumn('text')
  kind!: CrawlKind;

  /**
   * Infinity for a kind that has rows of its own in `due_registrations`, and for a crawl that is
   * divided into rows of `crawl_windows`.
   */
  @Column('timestamptz')
  dueAt!: Date | number;

  @Column('timestamptz', { default: () => "'-infinity'" })
  lastServedAt!: Date | number;

  @Column('integer')
  intervalSeconds!: number;

  /** Number of consecutive failures. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** When the last complete crawl of this kind began. */
  @Column('timestamptz', { nullable: true })
  windowAt!: Date | null;

  /** The provider's token for the next page of the crawl in progress. */
  @Column('text', { nullable: true })
  more!: string | null;

  /** The sequence of the first page of the crawl in progress. */
  @Column('bigint', { nullable: true })
  sequence!: number | null;

  /** When the first page of the crawl in progress was requested. */
  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  /** Number of items that the crawl in progress has read, without those of windows in progress. */
  @Column('integer', { default: 0 })
  items!: number;

  /** The provider's number of items in the list at the start of the crawl in progress. */
  @Column('integer', { nullable: true })
  total!: number | null;

  /** Number of items that the last complete crawl has read; null if there was none. */
  @Column('integer', { nullable: true })
  lastItems!: number | null;

  /** The courses that the crawl in progress has read. */
  @Column('text', { array: true, default: () => "'{}'" })
  courseGuids!: string[];
}
