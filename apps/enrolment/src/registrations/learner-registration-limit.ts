import { Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';

/** The injection token of the number of registrations that a learner's key may create in an hour. */
export const learnerRegistrationsPerHour = Symbol('registrations of a learner per hour');

interface LearnerAtProvider {
  readonly applicationId: number;
  readonly learnerId: string;
}

/**
 * Limits the registrations that user-bound keys create (contract/registrations#create-limit). The
 * rows themselves are counted, so that all replicas share the limit.
 */
@Injectable()
export class LearnerRegistrationLimit {
  constructor(
    private readonly database: Database,
    @Inject(learnerRegistrationsPerHour) private readonly limit: number,
  ) {}

  /**
   * Call it in the transaction that inserts the registration: concurrent creates for one learner
   * wait for each other.
   *
   * @throws {Failure} `over-limit` at the limit
   */
  async check({ applicationId, learnerId }: LearnerAtProvider): Promise<void> {
    const lockKey = JSON.stringify(['registrations of', applicationId, learnerId.toLowerCase()]);
    await this.database.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lockKey}, 0))`);
    const { count } = await this.database.one(
      z.object({ count: z.number() }),
      sql`SELECT count(*) AS count FROM (
            SELECT created_at FROM registrations
            WHERE provider_application_id = ${applicationId}
              AND lower(learner_id) = lower(${learnerId})
            ORDER BY id DESC
            LIMIT ${this.limit}
          ) AS latest
          WHERE created_at > now() - interval '1 hour'`,
    );
    if (count < this.limit) return;
    throw new Failure('over-limit', `the learner has got ${count} registrations within an hour`);
  }
}
