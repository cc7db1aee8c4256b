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
  /** How many attempts have started, this one included. */
  attempts: z.number(),
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

const isQueued = sql`provider_state = 'waiting' AND active AND ${isOfEnabledRealm}`;
const isDue = sql`${isQueued} AND initialise_after <= now()`;

const columns = sql`
  r.id, r.provider_application_id AS "applicationId", r.registration_guid AS "registrationGuid",
  r.course_guid AS "courseGuid", r.learner_id AS "learnerId", r.initialise_attempts AS attempts`;

const lease = sql`
  initialise_after = now() + ${leaseInterval}, initialise_attempts = r.initialise_attempts + 1`;

/** The registrations to create at the provider, as a durable queue (state `waiting`). */
@Injectable()
export class InitialisationQueue {
  constructor(private readonly database: Database) {}

  /** Claims due ones, some of each application, so that a slow provider delays no other. */
  claimDue(exceptApplications: readonly number[]): Promise<ClaimedRegistration[]> {
    const isServed = sql`a.provider_application_id <> ALL(${exceptApplications})`;
    return this.database.many(
      claimedRegistration,
      sql`UPDATE registrations AS r
          SET ${lease}
          WHERE r.id = ANY (${dueByApplication(isDue, sql`initialise_after`, isServed)})
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

  /** Sets the time of the next attempt, except where another process has started one since. */
  async postpone(postponements: readonly Postponement[]): Promise<void> {
    if (postponements.length === 0) return;
    const applicationIds = applicationIdsOf(postponements);
    await this.database.execute(
      sql`UPDATE registrations AS r
          SET initialise_after = now() + p.delay_seconds * interval '1 s',
              initialise_attempts = p.attempts,
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
              AND w.initialise_attempts = f.attempt
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
