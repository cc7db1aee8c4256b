import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** A registration that the provider does not hold yet, claimed for an attempt to change that. */
export interface WaitingRegistration {
  readonly id: number;
  readonly applicationId: number;
  readonly registrationGuid: string;
  readonly courseGuid: string;
  readonly learnerId: string;
  /** How many attempts have begun, this one included. */
  readonly attempts: number;
}

/** When an attempt that has failed is repeated. */
export interface Postponement {
  readonly id: number;
  /** Which attempt it was; where others have begun one since, theirs counts. */
  readonly attempt: number;
  /** Seconds from now. */
  readonly delay: number;
  /** As they count from now on. */
  readonly attempts: number;
  /** What the provider said; null leaves what was noted before. */
  readonly code: string | null;
  readonly message: string | null;
}

/** Longer than the background takes for a batch: after that, its process has died. */
const lease = `interval '40 seconds'`;

/** How many applications get a turn at once, and how many registrations of each. */
const applicationsAtOnce = 10;
const ofEach = 20;

const columns = `
  r.id, r.provider_application_id AS "applicationId", r.registration_guid AS "registrationGuid",
  r.course_guid AS "courseGuid", r.learner_id AS "learnerId", r.initialise_attempts AS attempts`;

/** The registrations that wait for the provider, as durable work. */
@Injectable()
export class WaitingRegistrations {
  constructor(private readonly database: Database) {}

  /** Takes those that are due, some of each application, so that a slow one holds up no other. */
  claimDue(exceptApplications: readonly number[]): Promise<WaitingRegistration[]> {
    return this.database.query<WaitingRegistration>(
      `UPDATE registrations AS r
       SET initialise_after = now() + ${lease}, initialise_attempts = r.initialise_attempts + 1
       FROM (
         SELECT due.id
         FROM (
           SELECT provider_application_id FROM registrations
           WHERE provider_state = 'waiting' AND active AND initialise_after <= now()
             AND provider_application_id <> ALL($1)
           GROUP BY provider_application_id
           ORDER BY random()
           LIMIT ${applicationsAtOnce}
         ) AS a CROSS JOIN LATERAL (
           SELECT id FROM registrations AS w
           WHERE w.provider_application_id = a.provider_application_id
             AND w.provider_state = 'waiting' AND w.active AND w.initialise_after <= now()
           ORDER BY w.initialise_after, w.id
           LIMIT ${ofEach}
           FOR UPDATE SKIP LOCKED
         ) AS due
       ) AS due
       WHERE r.id = due.id
       RETURNING ${columns}`,
      [exceptApplications],
    );
  }

  /** Takes these, due or not, as far as they still wait. */
  claim(ids: readonly number[]): Promise<WaitingRegistration[]> {
    return this.database.query<WaitingRegistration>(
      `UPDATE registrations AS r
       SET initialise_after = now() + ${lease}, initialise_attempts = r.initialise_attempts + 1
       FROM (
         SELECT id FROM registrations
         WHERE id = ANY($1) AND provider_state = 'waiting' AND active
         ORDER BY id
         FOR UPDATE
       ) AS named
       WHERE r.id = named.id
       RETURNING ${columns}`,
      [ids],
    );
  }

  /** Passes over those that others have claimed meanwhile: what they find out is newer. */
  async postpone(postponements: readonly Postponement[]): Promise<void> {
    if (postponements.length === 0) return;
    await this.database.query(
      `UPDATE registrations AS r
       SET initialise_after = now() + p.delay * interval '1 s', initialise_attempts = p.attempts,
           provider_errcode = coalesce(p.code, r.provider_errcode),
           provider_error_message = coalesce(p.message, r.provider_error_message),
           updated_at = CASE WHEN p.code IS NULL THEN r.updated_at ELSE now() END
       FROM (
         SELECT w.id, f.delay, f.attempts, f.code, f.message
         FROM unnest(
             $1::integer[], $2::integer[], $3::float8[], $4::integer[], $5::text[], $6::text[]
           ) AS f (id, attempt, delay, attempts, code, message)
         JOIN registrations AS w
           ON w.id = f.id AND w.provider_state = 'waiting' AND w.initialise_attempts = f.attempt
         ORDER BY w.id
         FOR UPDATE OF w
       ) AS p
       WHERE r.id = p.id`,
      [
        postponements.map((each) => each.id),
        postponements.map((each) => each.attempt),
        postponements.map((each) => each.delay),
        postponements.map((each) => each.attempts),
        postponements.map((each) => each.code),
        postponements.map((each) => each.message),
      ],
    );
  }
}
