import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type * as z from 'zod';

/**
 * The state of a registration at its provider. `pending`: not yet confirmed; `refused`: rejected by
 * the provider; both are invisible to clients. `ready`: the provider has it. `waiting`: queued to be
 * created at the provider; `local`: never created there; both come from invitations.
 */
export type ProviderState = 'pending' | 'refused' | 'ready' | 'waiting' | 'local';

const generated = () => ({ nullable: true, insert: false, update: false }) as const;
const sequence = () => ({ default: 0 }) as const;

/**
 * The course of one learner, with its results. The sequences are those of the newest crawls that
 * reported a result, a deletion or a failure, or should have (`sweptSequence`); 0 means never.
 */
@Entity('registrations')
@Unique(['providerApplicationId', 'registrationGuid'])
@Unique(['providerApplicationId', 'idempotencyKey'])
export class Registration {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('bigint')
  realmId!: number;

  @PrimaryColumn('bigint')
  providerApplicationId!: number;

  @Column('text')
  registrationGuid!: string;

  @Column('text')
  courseGuid!: string;

  /** As it was given; compared in lower case. */
  @Column('text')
  learnerId!: string;

  /** Null for registrations that were found at the provider. */
  @Column('bigint', { nullable: true })
  userId!: number | null;

  @Column('boolean', { default: true })
  active!: boolean;

  @Column('json', { nullable: true })
  custom!: z.core.util.JSONType;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  launchedAt!: Date | null;

  /** Whether the launch is open, per the newest crawl since; null if unknown. */
  @Column('boolean', { nullable: true })
  launchOpen!: boolean | null;

  /** When the provider last ended its launches. */
  @Column('timestamptz', { nullable: true })
  launchesEndedAt!: Date | null;

  /** When the next attempt to end its launches begins; null for at once. */
  @Column('timestamptz', { nullable: true })
  endLaunchesAfter!: Date | null;

  @Column('text')
  providerState!: ProviderState;

  /** When a pending or refused registration is reconciled: until then a create may be at work. */
  @Column('timestamptz', { nullable: true })
  settleAfter!: Date | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  /** When a waiting registration may be claimed. */
  @Column('timestamptz', { nullable: true })
  initializeAfter!: Date | null;

  /** How many attempts to create it at the provider have started. */
  @Column('integer', { default: 0 })
  initializeAttempts!: number;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('text', { default: 'unknown' })
  complete!: string;

  @Column('text', { default: 'unknown' })
  success!: string;

  @Column('double precision', { nullable: true })
  score!: number | null;

  /** Seconds. */
  @Column('double precision', { default: 0 })
  totaltime!: number;

  @Column('text', { nullable: true })
  courseResult!: string | null;

  @Column('text', { nullable: true })
  fullResult!: string | null;

  @Column('text', { nullable: true })
  crawlType!: string | null;

  @Column('timestamptz', { nullable: true })
  providerCreatedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  providerCompletedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  providerAccessedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastCrawledAt!: Date | null;

  @Column('integer', { default: 0 })
  numberOfCrawlErrors!: number;

  @Column('text', { nullable: true })
  providerErrcode!: string | null;

  @Column('text', { nullable: true })
  providerErrorMessage!: string | null;

  /** Identifies the result of the newest crawl (libs/contracts, crawler). */
  @Column('bytea', { nullable: true })
  resultDigest!: Buffer | null;

  @Column('bigint', sequence())
  resultSequence!: number;

  @Column('bigint', sequence())
  deletionSequence!: number;

  @Column('bigint', sequence())
  failureSequence!: number;

  /** Of the newest full sweep that should have returned it. */
  @Column('bigint', sequence())
  sweptSequence!: number;

  /** When a missed registration is verified. */
  @Column('timestamptz', { default: '-infinity' })
  verifyAfter!: Date;

  /** 1 if it was deleted at the provider. */
  @Column('integer', generated())
  deleted!: 1 | null;

  @Column('text', generated())
  crawlStatus!: 'success' | 'error' | null;

  @Column('text', generated())
  crawlErrorMsg!: string | null;

  /** The newest sweep did not return it, and no newer crawl requested it. */
  @Column('boolean', generated())
  missed!: boolean;
}
