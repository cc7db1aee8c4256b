import { type ProviderRegistration } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Takes registrations that were made at the provider, past this service, into its books. */
@Injectable()
export class AdoptRegistrations {
  constructor(private readonly database: Database) {}

  /**
   * Adds those of `found` that are not known yet, without their results: those come with a crawl.
   * The learner is the e-mail address where the provider has one, else its id for the learner. The
   * newest at the provider gets the highest id: it is the last one (decision 18).
   *
   * @returns the GUIDs and courses of those that were added
   */
  async run(
    owner: { applicationId: number; realmId: number; userId: number | null },
    found: readonly ProviderRegistration[],
  ): Promise<{ registrationGuid: string; courseGuid: string }[]> {
    // Only unknown ones reach the INSERT: one that ends in a conflict would use up an id.
    return this.database.query(
      `INSERT INTO registrations (
         realm_id, provider_application_id, user_id, registration_guid, course_guid, learner_id,
         provider_state
       )
       SELECT $1, $2, $3, f.registration_guid, f.course_guid, f.learner_id, 'ready'
       FROM unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[])
         AS f (registration_guid, course_guid, learner_id, created_at)
       WHERE NOT EXISTS (
         SELECT FROM registrations AS r
         WHERE r.provider_application_id = $2 AND r.registration_guid = f.registration_guid
       )
       ORDER BY f.created_at NULLS FIRST, f.registration_guid
       ON CONFLICT (provider_application_id, registration_guid) DO NOTHING
       RETURNING registration_guid AS "registrationGuid", course_guid AS "courseGuid"`,
      [
        owner.realmId,
        owner.applicationId,
        owner.userId,
        found.map((registration) => registration.registrationGuid),
        found.map((registration) => registration.courseGuid),
        found.map(({ learner }) => learner.email || learner.id),
        found.map((registration) => registration.createdAt),
      ],
    );
  }
}
