import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The token buckets and the backoff of a provider application. Without a foreign key: a request may name
 * an application that the crawler does not know yet.
 */
@Entity('rate_limits')
export class RateLimit {
  @PrimaryColumn('bigint')
  applicationId!: number;

  @Column('double precision')
  tokens!: number;

  /** The calls that crawls in the background may make now; null for a full bucket. */
  @Column('double precision', { nullable: true })
  crawlTokens!: number | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  refilledAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  pausedUntil!: Date;

  /** Number of consecutive failures. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** The kind of the last failure (libs/course-provider); null after a success. */
  @Column('text', { nullable: true })
  fault!: string | null;

  /** The provider's code and message of the last failure; null after a success. */
  @Column('text', { nullable: true })
  faultCode!: string | null;

  @Column('text', { nullable: true })
  faultMessage!: string | null;

  /** Calls per second to which failures have lowered the rate; null for the configured rate. */
  @Column('double precision', { nullable: true })
  rate!: number | null;

  /** Until then, clients that wait for a call go before crawls. */
  @Column('timestamptz', { default: () => "'-infinity'" })
  interactiveUntil!: Date | number;

  /** Until then, the result of the only call after a failure is awaited. */
  @Column('timestamptz', { default: () => "'-infinity'" })
  probeUntil!: Date | number;
}
