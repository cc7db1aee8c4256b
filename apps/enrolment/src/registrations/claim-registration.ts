import { type EmailAddress } from '#libs/contracts';
import { currentOperation, remainingTime } from '#libs/platform';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type Candidate, existingRegistration } from './existing-registration.ts';

/** A learner's registration for a course, as a create wants it. */
export interface Wanted {
  readonly realmId: number;
  readonly applicationId: number;
  readonly courseGuid: string;
  readonly learnerId: EmailAddress;
  readonly userId: number;
  /** Take the existing registration of this course and learner, if there is one. */
  readonly dontDuplicate: boolean;
}

/** The row that a create answers. */
export interface Claim {
  readonly id: number;
  readonly applicationId: number;
  readonly registrationGuid: string;
  /** `ready`: it is shown to clients; `begun`: a create was at work on it before; `new`: none was. */
  readonly state: 'ready' | 'begun' | 'new';
}

/**
 * How long after its deadline the last call of a create may still take effect at the provider,
 * and how long a create without a deadline may take: milliseconds.
 */
const settleMargin = 30_000;

/** Milliseconds for which the background leaves a row to the create that works on it. */
function timeToFinish(): number {
  const remaining = remainingTime();
  return Math.ceil(Number.isFinite(remaining) ? remaining : 0) + settleMargin;
}

/** The name of the lock that whoever avoids duplicates holds on a course's registrations. */
export const courseLock = (course: { applicationId: number; courseGuid: string }): string =>
  JSON.stringify(['registrations', course.applicationId, course.courseGuid]);

/** Finds or makes the row of a registration before the provider is asked for anything. */
@Injectable()
export class ClaimRegistration {
  constructor(private readonly database: Database) {}

  /**
   * Equal creates stand in line here, so that `dontDuplicate` lets one of them make a row and
   * gives it to the others. The row is committed, pending, when this returns.
   */
  async run(wanted: Wanted): Promise<Claim> {
    const idempotencyKey = currentOperation()?.idempotencyKey ?? null;
    return this.database.transaction(async () => {
      // Invitations that avoid duplicates look at a whole course at once.
      await this.database.query(`SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))`, [
        courseLock(wanted),
      ]);
      await this.database.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
        JSON.stringify([wanted.applicationId, wanted.courseGuid, wanted.learnerId.toLowerCase()]),
      ]);
      const existing = existingRegistration(await this.candidates(wanted, idempotencyKey), {
        idempotencyKey,
        dontDuplicate: wanted.dontDuplicate,
      });
      if (!existing) return this.insert(wanted, idempotencyKey);
      if (!existing.ready) await this.resume(wanted.applicationId, existing.id);
      return {
        id: existing.id,
        applicationId: wanted.applicationId,
        registrationGuid: existing.registrationGuid,
        state: existing.ready ? 'ready' : 'begun',
      };
    });
  }

  private candidates(wanted: Wanted, idempotencyKey: string | null): Promise<Candidate[]> {
    return this.database.query<Candidate>(
      `SELECT id, registration_guid AS "registrationGuid", settle_after IS NULL AS ready,
              idempotency_key AS "idempotencyKey"
       FROM registrations
       WHERE provider_application_id = $1 AND course_guid = $2 AND lower(learner_id) = lower($3)
         AND active AND deleted IS NULL
         AND ($4 OR idempotency_key = $5)
       ORDER BY id
       FOR UPDATE`,
      [
        wanted.applicationId,
        wanted.courseGuid,
        wanted.learnerId,
        wanted.dontDuplicate,
        idempotencyKey,
      ],
    );
  }

  private async insert(wanted: Wanted, idempotencyKey: string | null): Promise<Claim> {
    const registrationGuid = randomUUID();
    const [row] = await this.database.query<{ id: number }>(
      `INSERT INTO registrations (
         realm_id, provider_application_id, registration_guid, course_guid, learner_id, user_id,
         provider_state, idempotency_key, settle_after
       )
       VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, now() + $8 * interval '1 ms')
       RETURNING id`,
      [
        wanted.realmId,
        wanted.applicationId,
        registrationGuid,
        wanted.courseGuid,
        wanted.learnerId,
        wanted.userId,
        idempotencyKey,
        timeToFinish(),
      ],
    );
    if (!row) throw new Error('INSERT answered no row');
    return { id: row.id, applicationId: wanted.applicationId, registrationGuid, state: 'new' };
  }

  /** Always moves `settle_after`: that is what takes the row out of the background's hands. */
  private async resume(applicationId: number, id: number): Promise<void> {
    await this.database.query(
      `UPDATE registrations
       SET provider_state = 'pending',
           settle_after = greatest(
             settle_after + interval '1 ms', now() + $3 * interval '1 ms'
           )
       WHERE provider_application_id = $1 AND id = $2`,
      [applicationId, id, timeToFinish()],
    );
  }
}
