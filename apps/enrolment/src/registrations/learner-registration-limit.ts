import { Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

/**
 * How many registrations user-bound keys may create for a learner in a provider application within an hour
 * (contract/registrations#create-limit): far more than a learner needs. It bounds what the realm pays its provider for
 * registrations that a stolen key creates.
 */
export const learnerRegistrationsPerHour = 100;

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
  constructor(private readonly database: Database) {}

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
            LIMIT ${learnerRegistrationsPerHour}
          ) AS latest
          WHERE created_at > now() - interval '1 hour'`,
    );
    if (count < learnerRegistrationsPerHour) return;
    throw new Failure('over-limit', `the learner has got ${count} registrations within an hour`);
  }
}
