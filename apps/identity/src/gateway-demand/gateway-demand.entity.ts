import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The demand on one account that a gateway has reported last. */
@Entity('gateway_demand')
export class GatewayDemand {
  @PrimaryColumn('text') account!: string;

  @PrimaryColumn('uuid') gateway!: string;

  @Column('double precision') requestsPerSecond!: number;

  @Column('timestamptz', { default: () => 'now()' })
  reportedAt!: Date;
}
