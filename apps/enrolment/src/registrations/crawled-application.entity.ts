import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How fresh the results of a provider application are that no crawl has changed since. */
@Entity('crawled_applications')
export class CrawledApplication {
  @PrimaryColumn('bigint')
  providerApplicationId!: number;

  /** The sequence of the newest complete sweep; 0 if there was none. */
  @Column('bigint', { default: 0 })
  sweptSequence!: number;

  /** When the newest complete sweep began. */
  @Column('timestamptz', { nullable: true })
  sweptAt!: Date | null;

  /** When the newest complete crawl began, of all registrations or of the changed ones. */
  @Column('timestamptz')
  syncedAt!: Date;
}
