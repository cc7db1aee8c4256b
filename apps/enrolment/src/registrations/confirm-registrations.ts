import { Outbox } from '@registrar/bus';
import { registrationCreated, toTimestamp } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import type { RegistrationKey } from './registration-key.ts';
import {
  registrationColumns,
  registrationRow,
  type RegistrationRow,
} from './registration-record.ts';

/** Marks registrations that the provider holds as ready, and publishes their creation. */
@Injectable()
export class ConfirmRegistrations {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Returns the rows that it confirmed: without those that were confirmed or deleted before. */
  async confirm(...registrations: readonly RegistrationKey[]): Promise<RegistrationRow[]> {
    if (registrations.length === 0) return [];
    const ids = registrations.map((registration) => registration.id);
    const applicationIds = registrations.map((registration) => registration.applicationId);
    return this.database.transaction(async () => {
      const confirmed = await this.database.many(
        registrationRow,
        sql`UPDATE registrations AS r
            SET provider_state = 'ready', settle_after = NULL, initialize_after = NULL,
                updated_at = now()
            FROM (
              SELECT id, provider_application_id FROM registrations
              WHERE provider_application_id = ANY(${applicationIds})
                AND (id, provider_application_id) IN (
                  SELECT * FROM unnest(${ids}::bigint[], ${applicationIds}::bigint[])
                )
                AND provider_state <> 'ready' AND deleted IS NULL
              ORDER BY id
              FOR UPDATE
            ) AS held
            WHERE r.provider_application_id = ANY(${applicationIds})
              AND r.provider_application_id = held.provider_application_id AND r.id = held.id
            RETURNING ${registrationColumns}`,
      );
      await this.outbox.publishAll(
        registrationCreated,
        confirmed.map((row) => ({
          applicationId: row.hosted_app_id,
          registrationGuid: row.registration_guid,
          courseGuid: row.course_guid,
          at: toTimestamp(row.updated_at),
        })),
      );
      return confirmed;
    });
  }
}
