import { Outbox } from '@registrar/bus';
import { registrationCreated, toTimestamp } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

const confirmedRow = z.object({
  applicationId: z.number(),
  registrationGuid: z.string(),
  courseGuid: z.string(),
  at: z.date(),
});

/** Marks registrations that the provider holds as ready, and publishes their creation. */
@Injectable()
export class ConfirmRegistrations {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Has no effect on registrations that were confirmed or deleted before. */
  async confirm(...registrations: readonly { id: number; applicationId: number }[]): Promise<void> {
    if (registrations.length === 0) return;
    const ids = registrations.map((registration) => registration.id);
    const applicationIds = registrations.map((registration) => registration.applicationId);
    await this.database.transaction(async () => {
      const confirmed = await this.database.many(
        confirmedRow,
        sql`UPDATE registrations AS r
            SET provider_state = 'ready', settle_after = NULL, initialise_after = NULL,
                provider_errcode = NULL, provider_error_message = NULL, updated_at = now()
            FROM (
              SELECT id FROM registrations
              WHERE (id, provider_application_id) IN (
                SELECT * FROM unnest(${ids}::bigint[], ${applicationIds}::bigint[])
              ) AND provider_state <> 'ready' AND deleted IS NULL
              ORDER BY id
              FOR UPDATE
            ) AS held
            WHERE r.id = held.id
            RETURNING r.provider_application_id AS "applicationId",
                      r.registration_guid AS "registrationGuid", r.course_guid AS "courseGuid",
                      r.updated_at AS at`,
      );
      await this.outbox.publishAll(
        registrationCreated,
        confirmed.map((registration) => ({
          ...registration,
          at: toTimestamp(registration.at),
        })),
      );
    });
  }
}
