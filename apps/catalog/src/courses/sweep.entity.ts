import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest sweep of a provider application: a crawl that read its whole list of courses. */
@Entity('sweeps')
export class Sweep {
  @PrimaryColumn('bigint') providerApplicationId!: number;

  @Column('bigint') sequence!: number;
}
