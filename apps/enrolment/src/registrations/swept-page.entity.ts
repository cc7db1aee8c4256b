import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The registrations that one page of a running sweep has listed. Deleted when the sweep is complete. */
@Entity('swept_pages')
export class SweptPage {
  @PrimaryColumn('bigint')
  providerApplicationId!: number;

  /** Of the page (libs/contracts, crawler). */
  @PrimaryColumn('bigint')
  sequence!: number;

  /** The sequence of the sweep's first page. */
  @Column('bigint')
  sweep!: number;

  @Column('bigint', { array: true })
  registrationIds!: number[];
}
