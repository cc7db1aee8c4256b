import { Outbox } from '@registrar/bus';
import { type ProviderRegistration, registrationCreated, toTimestamp } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { customPlan, Database, sql } from '@registrar/persistence';
import { clock } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type RegistrationRequest } from './claim-registration.ts';

const adoptedRow = z.object({ registrationGuid: z.string(), courseGuid: z.string() });

/** Inserts registrations that were created at the provider by other means than this service. */
@Injectable()
export class AdoptRegistrations {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
  ) {}

  /**
   * Inserts the unknown ones of a learner and course (contract/registrations#check-hosted) without their
   * results, which a crawl brings. Ids ascend with the creation time at the provider, so that the newest
   * is the one that counts (contract/registrations#usable).
   */
  async adopt(request: RegistrationRequest): Promise<void> {
    const { realmId, applicationId, userId, courseGuid, learnerId } = request;
    const provider = await this.providers.forApplication(applicationId);
    const query = { crawlType: 'course', courseGuid, learnerId } as const;
    const hosted: ProviderRegistration[] = [];
    for await (const page of provider.listRegistrations(query)) hosted.push(...page);
    await this.database.transaction(async () => {
      // Known ones are left out before the INSERT, because a row in conflict would use up an id.
      const adopted = await this.database.many(
        adoptedRow,
        sql`INSERT INTO registrations (
              realm_id, provider_application_id, user_id, registration_guid, course_guid, learner_id,
              provider_state
            )
            SELECT ${realmId}, ${applicationId}, ${userId}, f.registration_guid, f.course_guid,
                   ${learnerId}, 'ready'
            FROM unnest(
                ${hosted.map((registration) => registration.registrationGuid)}::text[],
                ${hosted.map((registration) => registration.courseGuid)}::text[],
                ${hosted.map((registration) => registration.createdAt)}::timestamptz[]
              ) AS f (registration_guid, course_guid, created_at)
            WHERE NOT EXISTS (
              SELECT FROM registrations AS r
              WHERE r.provider_application_id = ${applicationId}
                AND r.registration_guid = f.registration_guid
            )
            ORDER BY f.created_at NULLS FIRST, f.registration_guid
            ON CONFLICT (provider_application_id, registration_guid) DO NOTHING
            RETURNING registration_guid AS "registrationGuid", course_guid AS "courseGuid" ${customPlan}`,
      );
      const at = toTimestamp(clock.date());
      await this.outbox.publishAll(
        registrationCreated,
        adopted.map((registration) => ({ ...registration, applicationId, at })),
      );
    });
  }
}
