import { type ProviderRegistration } from '@registrar/contracts';
import { customPlan, Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

const adoptedRow = z.object({ registrationGuid: z.string(), courseGuid: z.string() });

/** Inserts registrations that were created at the provider by other means than this service. */
@Injectable()
export class AdoptRegistrations {
  constructor(private readonly database: Database) {}

  /**
   * Inserts the unknown ones of `found` without their results, which a crawl brings. The learner is
   * the e-mail address if the provider has one, else the provider's id of the learner. Ids ascend
   * with the creation time at the provider, so that the newest is the one that counts
   * (contract/registrations#usable).
   *
   * @returns the inserted ones
   */
  async adopt(
    owner: { applicationId: number; realmId: number; userId: number | null },
    found: readonly ProviderRegistration[],
  ): Promise<z.infer<typeof adoptedRow>[]> {
    const { applicationId, realmId, userId } = owner;
    // Known ones are left out before the INSERT, because a row in conflict would use up an id.
    return this.database.many(
      adoptedRow,
      sql`INSERT INTO registrations (
            realm_id, provider_application_id, user_id, registration_guid, course_guid, learner_id,
            provider_state
          )
          SELECT ${realmId}, ${applicationId}, ${userId}, f.registration_guid, f.course_guid,
                 f.learner_id, 'ready'
          FROM unnest(
              ${found.map((registration) => registration.registrationGuid)}::text[],
              ${found.map((registration) => registration.courseGuid)}::text[],
              ${found.map(({ learner }) => learner.email || learner.id)}::text[],
              ${found.map((registration) => registration.createdAt)}::timestamptz[]
            ) AS f (registration_guid, course_guid, learner_id, created_at)
          WHERE NOT EXISTS (
            SELECT FROM registrations AS r
            WHERE r.provider_application_id = ${applicationId}
              AND r.registration_guid = f.registration_guid
          )
          ORDER BY f.created_at NULLS FIRST, f.registration_guid
          ON CONFLICT (provider_application_id, registration_guid) DO NOTHING
          RETURNING registration_guid AS "registrationGuid", course_guid AS "courseGuid" ${customPlan}`,
    );
  }
}
