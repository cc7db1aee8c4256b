import { type EmailAddress, Failure } from '@registrar/contracts';
import { currentRequestContext, remainingTimeMs } from '@registrar/platform';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Candidate, candidateRow, findReusableRegistration } from './reusable-registration.ts';

/** The registration of a learner for a course that a create requests. */
export interface RegistrationRequest {
  readonly realmId: number;
  readonly applicationId: number;
  readonly courseGuid: string;
  /** Whether the course is known to exist: else the copy of the catalog's courses tells. */
  readonly isCourseFound: boolean;
  readonly learnerId: EmailAddress;
  readonly userId: number;
  /** Reuse an existing registration of this course and learner (contract/registrations#dont-duplicate). */
  readonly dontDuplicate: boolean;
  /** Whether the learner's own key requests it (contract/registrations#create-limit). */
  readonly isByLearner: boolean;
}

/** The row that a create returns. */
export interface Claim {
  readonly id: number;
  readonly applicationId: number;
  readonly registrationGuid: string;
  /** `ready`: visible to clients; `resumed`: left pending by an earlier create; `new`: inserted now. */
  readonly state: 'ready' | 'resumed' | 'new';
  /** Another request has created it, and `dontDuplicate` found it. */
  readonly isDuplicate: boolean;
}

const insertedRow = z.object({ isKnown: z.boolean(), id: z.number().nullable() });

/**
 * How many registrations user-bound keys may create for a learner in a provider application within an hour
 * (contract/registrations#create-limit): far more than a learner needs. It bounds what the realm pays its provider for
 * registrations that a stolen key creates.
 */
export const learnerRegistrationsPerHour = 100;

/**
 * How long after its deadline the last call of a create may still take effect at the provider,
 * and how long a create without a deadline may take: milliseconds.
 */
const reconcileMarginMs = 30_000;

/** SQL of the time in which reconciliation leaves a row to the create that works on it. */
function reservedTime(): Sql {
  const remainingMs = remainingTimeMs();
  const reservedMs =
    (Number.isFinite(remainingMs) ? Math.ceil(remainingMs) : 0) + reconcileMarginMs;
  return sql`${reservedMs} * interval '1 ms'`;
}

/** The key of the advisory lock on a course's registrations, held while avoiding duplicates. */
export const courseLockKey = (course: { applicationId: number; courseGuid: string }): string =>
  JSON.stringify(['registrations', course.applicationId, course.courseGuid]);

/** Finds or inserts the row of a registration before any call of the provider. */
@Injectable()
export class ClaimRegistration {
  constructor(private readonly database: Database) {}

  /**
   * Returns the registration to create; null if the course is not found in the copy of the catalog's
   * courses. The row is committed, pending, when this returns.
   *
   * Creates that may return an existing row are serialized by learner and course, so that of concurrent
   * ones with `dontDuplicate` one inserts a row and the others return it
   * (contract/registrations#dont-duplicate-race).
   *
   * @throws {Failure} `over-limit` for a learner's key that has created too many
   */
  async claim(request: RegistrationRequest): Promise<Claim | null> {
    const idempotencyKey = currentRequestContext()?.idempotencyKey ?? null;
    const isFree = !request.dontDuplicate && !request.isByLearner;
    const inserted = isFree ? await this.insert(request, idempotencyKey) : 'known';
    return inserted === 'known' ? this.claimUnderLock(request, idempotencyKey) : inserted;
  }

  private claimUnderLock(
    request: RegistrationRequest,
    idempotencyKey: string | null,
  ): Promise<Claim | null> {
    return this.database.transaction(async () => {
      const reused = await this.lockReusable(request, idempotencyKey);
      if (!reused) {
        if (request.isByLearner) await this.requireBelowLimit(request);
        const inserted = await this.insert(request, idempotencyKey);
        if (inserted !== 'known') return inserted;
        throw new Failure('unavailable', 'what an earlier attempt created has been removed');
      }
      if (!reused.ready) await this.resume(request.applicationId, reused.id);
      return {
        id: reused.id,
        applicationId: request.applicationId,
        registrationGuid: reused.registrationGuid,
        state: reused.ready ? 'ready' : 'resumed',
        isDuplicate:
          reused.ready && (idempotencyKey === null || reused.idempotencyKey !== idempotencyKey),
      };
    });
  }

  /**
   * Limits the registrations that user-bound keys create. The rows themselves are counted, so that all
   * replicas share the limit, and concurrent creates for one learner wait for each other.
   */
  private async requireBelowLimit({
    applicationId,
    learnerId,
  }: RegistrationRequest): Promise<void> {
    const lockKey = JSON.stringify(['registrations of', applicationId, learnerId.toLowerCase()]);
    await this.database.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lockKey}, 0))`);
    const { count } = await this.database.one(
      z.object({ count: z.number() }),
      sql`SELECT count(*) AS count FROM (
            SELECT created_at FROM registrations
            WHERE provider_application_id = ${applicationId}
              AND lower(learner_id) = lower(${learnerId})
            ORDER BY id DESC
            LIMIT ${learnerRegistrationsPerHour}
          ) AS latest
          WHERE created_at > now() - interval '1 hour'`,
    );
    if (count < learnerRegistrationsPerHour) return;
    throw new Failure('over-limit', `the learner has got ${count} registrations within an hour`);
  }

  private async lockReusable(
    request: RegistrationRequest,
    idempotencyKey: string | null,
  ): Promise<Candidate | null> {
    const { dontDuplicate } = request;
    // The course's lock is shared, because an invitation that avoids duplicates locks it exclusively.
    await this.database.execute(
      sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${courseLockKey(request)}, 0)),
                 pg_advisory_xact_lock(hashtextextended(${learnerLockKey(request)}, 0))`,
    );
    const candidates = await this.lockCandidates(request, idempotencyKey);
    return findReusableRegistration(candidates, { idempotencyKey, dontDuplicate });
  }

  private lockCandidates(
    request: RegistrationRequest,
    idempotencyKey: string | null,
  ): Promise<Candidate[]> {
    const { applicationId, courseGuid, learnerId, dontDuplicate } = request;
    return this.database.many(
      candidateRow,
      sql`SELECT id, registration_guid AS "registrationGuid", settle_after IS NULL AS ready,
                 idempotency_key AS "idempotencyKey"
          FROM registrations
          WHERE provider_application_id = ${applicationId} AND course_guid = ${courseGuid}
            AND lower(learner_id) = lower(${learnerId})
            AND active AND deleted IS NULL
            AND (${dontDuplicate} OR idempotency_key = ${idempotencyKey})
          ORDER BY id
          FOR UPDATE`,
    );
  }

  /**
   * Returns `known` if an earlier attempt of the same request has inserted a row, and null if the course
   * is not found in the copy.
   */
  private async insert(
    request: RegistrationRequest,
    idempotencyKey: string | null,
  ): Promise<Claim | 'known' | null> {
    const { realmId, applicationId, courseGuid, learnerId, userId } = request;
    const registrationGuid = randomUUID();
    const { isKnown, id } = await this.database.one(
      insertedRow,
      sql`WITH course AS (
            SELECT ${request.isCourseFound}::boolean OR EXISTS (
              SELECT FROM courses
              WHERE provider_application_id = ${applicationId} AND course_guid = ${courseGuid}
                AND NOT deleted
            ) AS is_known
          ), inserted AS (
            INSERT INTO registrations (
              realm_id, provider_application_id, registration_guid, course_guid, learner_id, user_id,
              provider_state, idempotency_key, settle_after
            )
            SELECT ${realmId}::bigint, ${applicationId}::bigint, ${registrationGuid}::text,
                   ${courseGuid}::text, ${learnerId}::text, ${userId}::bigint, 'pending',
                   ${idempotencyKey}::text, now() + ${reservedTime()}
            FROM course WHERE is_known
            ON CONFLICT (provider_application_id, idempotency_key) DO NOTHING
            RETURNING id
          )
          SELECT course.is_known AS "isKnown", inserted.id FROM course LEFT JOIN inserted ON true`,
    );
    if (!isKnown) return null;
    if (id === null) return 'known';
    return { id, applicationId, registrationGuid, state: 'new', isDuplicate: false };
  }

  /** Moves `settle_after` in any case, so that a reconciliation under way no longer owns the row. */
  private async resume(applicationId: number, id: number): Promise<void> {
    await this.database.execute(
      sql`UPDATE registrations
          SET provider_state = 'pending',
              settle_after = greatest(
                settle_after + interval '1 ms', now() + ${reservedTime()}
              )
          WHERE provider_application_id = ${applicationId} AND id = ${id}`,
    );
  }
}

const learnerLockKey = ({ applicationId, courseGuid, learnerId }: RegistrationRequest): string =>
  JSON.stringify([applicationId, courseGuid, learnerId.toLowerCase()]);
