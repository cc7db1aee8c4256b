import { Database, type Sql, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { dueByApplication } from './due-by-application.ts';
import { isOfEnabledRealm } from './enabled-realms.ts';
import { type RegistrationKey, registrationKey } from './registration-key.ts';

const claimedRegistration = registrationKey.extend({
  registrationGuid: z.string(),
  courseGuid: z.string(),
  learnerId: z.string(),
  realmId: z.number(),
  /** How many attempts have started, this one included. */
  attempts: z.number(),
  /** Whether one of them has failed at the provider. */
  hasFailed: z.boolean(),
});
/** A registration that is not yet at the provider, claimed for an attempt to create it there. */
export type ClaimedRegistration = Readonly<z.infer<typeof claimedRegistration>>;

/** When to repeat a failed attempt. */
export interface Postponement extends RegistrationKey {
  /** The number of the failed attempt; ignored when another attempt has started since. */
  readonly attempt: number;
  /** From now. */
  readonly delaySeconds: number;
  /** The number of attempts to store. */
  readonly attempts: number;
  /** The provider's error; null keeps the stored one. */
  readonly code: string | null;
  readonly message: string | null;
}

/** Longer than a batch of the background job takes: an expired lease means that its process died. */
const leaseInterval = sql`interval '40 seconds'`;

/** How many of those that failed count at most. */
const maxFailed = 20_000;

const isQueued = sql`provider_state = 'waiting' AND active AND ${isOfEnabledRealm}`;
const isDue = sql`${isQueued} AND initialize_after <= now()`;

const columns = sql`
  r.id, r.provider_application_id AS "applicationId", r.registration_guid AS "registrationGuid",
  r.course_guid AS "courseGuid", r.learner_id AS "learnerId", r.realm_id AS "realmId",
  r.initialize_attempts AS attempts, r.provider_errcode IS NOT NULL AS "hasFailed"`;

const lease = sql`
  initialize_after = now() + ${leaseInterval}, initialize_attempts = r.initialize_attempts + 1`;

/** The registrations to create at the provider, as a durable queue (state `waiting`). */
@Injectable()
export class InitializationQueue {
  constructor(private readonly database: Database) {}

  /** Claims due ones, some of each application, so that a slow provider delays no other. */
  claimDue(exceptApplications: readonly number[]): Promise<ClaimedRegistration[]> {
    const isServed = sql`a.provider_application_id <> ALL(${exceptApplications})`;
    return this.database.many(
      claimedRegistration,
      sql`UPDATE registrations AS r
          SET ${lease}
          WHERE r.id = ANY (${dueByApplication(isDue, sql`initialize_after`, isServed)})
          RETURNING ${columns}`,
    );
  }

  /** Claims those that are still queued, due or not, unless their realm is disabled. */
  claim(registrations: readonly RegistrationKey[]): Promise<ClaimedRegistration[]> {
    return this.database.many(
      claimedRegistration,
      sql`UPDATE registrations AS r
          SET ${lease}
          FROM (
            SELECT id FROM registrations
            WHERE ${isOneOf(registrations)} AND ${isQueued}
            ORDER BY id
            FOR UPDATE
          ) AS queued
          WHERE r.provider_application_id = ANY(${applicationIdsOf(registrations)})
            AND r.id = queued.id
          RETURNING ${columns}`,
    );
  }

  /** Returns which of the registrations were deleted while they were claimed. */
  deletedOf(claimed: readonly RegistrationKey[]): Promise<{ id: number }[]> {
    return this.database.many(
      z.object({ id: z.number() }),
      sql`SELECT id FROM registrations
          WHERE ${isOneOf(claimed)} AND deleted IS NOT NULL`,
    );
  }

  /**
   * Makes those of applications due that have failed before: what was in the way is gone.
   *
   * @param triedBefore SQL of a time: later ones are tried again when their own delay is over
   */
  async retryFailed(applicationIds: readonly number[], triedBefore: Sql): Promise<void> {
    if (applicationIds.length === 0) return;
    // One that becomes due sooner than a lease ends may be claimed at this moment.
    await this.database.execute(
      sql`UPDATE registrations AS r SET initialize_after = now()
          FROM (
            SELECT id FROM registrations
            WHERE provider_application_id = ANY(${applicationIds}) AND ${isQueued}
              AND provider_errcode IS NOT NULL
              AND initialize_after > now() + ${leaseInterval} AND updated_at < ${triedBefore}
            ORDER BY id
            FOR UPDATE SKIP LOCKED
          ) AS failed
          WHERE r.provider_application_id = ANY(${applicationIds}) AND r.id = failed.id`,
    );
  }

  /**
   * Sets the time of the next attempt, except where another process has started one since. Those of an
   * application that have failed are attempted at most once a second, however many they are.
   */
  async postpone(postponements: readonly Postponement[]): Promise<void> {
    if (postponements.length === 0) return;
    const applicationIds = applicationIdsOf(postponements);
    await this.database.execute(
      sql`WITH failed AS MATERIALIZED (
            SELECT a.id, (
              SELECT count(*) FROM (
                SELECT FROM registrations AS f
                WHERE f.provider_application_id = a.id AND f.provider_state = 'waiting'
                  AND f.active AND f.provider_errcode IS NOT NULL
                LIMIT ${maxFailed}
              ) AS counted
            ) AS number
            FROM unnest(${applicationIds}::bigint[]) AS a (id)
          )
          UPDATE registrations AS r
          SET initialize_after = now() + interval '1 s' * CASE
                WHEN p.delay_seconds = 0 THEN 0
                ELSE greatest(
                  p.delay_seconds,
                  (SELECT number FROM failed WHERE failed.id = r.provider_application_id)
                )
              END,
              initialize_attempts = p.attempts,
              provider_errcode = coalesce(p.code, r.provider_errcode),
              provider_error_message = coalesce(p.message, r.provider_error_message),
              updated_at = CASE WHEN p.code IS NULL THEN r.updated_at ELSE now() END
          FROM (
            SELECT w.id, f.delay_seconds, f.attempts, f.code, f.message
            FROM unnest(
                ${postponements.map((each) => each.id)}::bigint[],
                ${postponements.map((each) => each.attempt)}::integer[],
                ${postponements.map((each) => each.delaySeconds)}::float8[],
                ${postponements.map((each) => each.attempts)}::integer[],
                ${postponements.map((each) => each.code)}::text[],
                ${postponements.map((each) => each.message)}::text[]
              ) AS f (id, attempt, delay_seconds, attempts, code, message)
            JOIN registrations AS w
              ON w.provider_application_id = ANY(${applicationIds}) AND w.id = f.id
              AND w.provider_state = 'waiting'
              AND w.initialize_attempts = f.attempt
            ORDER BY w.id
            FOR UPDATE OF w
          ) AS p
          WHERE r.provider_application_id = ANY(${applicationIds}) AND r.id = p.id`,
    );
  }
}

const applicationIdsOf = (registrations: readonly RegistrationKey[]): number[] => [
  ...new Set(registrations.map(({ applicationId }) => applicationId)),
];

const isOneOf = (registrations: readonly RegistrationKey[]): Sql => sql`
  provider_application_id = ANY(${applicationIdsOf(registrations)})
  AND id = ANY(${registrations.map(({ id }) => id)})`;
