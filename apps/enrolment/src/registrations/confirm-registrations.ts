import { Outbox } from '@registrar/bus';
import {
  registrationCreated,
  type RegistrationRecord,
  registrationRecord,
} from '@registrar/contracts';
import { customPlan, Database, type Sql, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import type { RegistrationKey } from './registration-key.ts';
import { registrationColumns } from './registration-record.ts';

/** Marks registrations that the provider holds as ready, and publishes their creation by the same statement. */
@Injectable()
export class ConfirmRegistrations {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Returns those that it confirmed: without those that were confirmed or deleted before. */
  async confirm(...registrations: readonly RegistrationKey[]): Promise<RegistrationRecord[]> {
    if (registrations.length === 0) return [];
    const payloads = sql`
      SELECT jsonb_build_object(
        'applicationId', hosted_app_id, 'registrationGuid', registration_guid,
        'courseGuid', course_guid, 'at', updated_at
      ) AS payload
      FROM confirmed`;
    return this.outbox.publishWith(registrationCreated, payloads, (events) =>
      this.database.many(
        registrationRecord,
        sql`WITH confirmed AS (
              UPDATE registrations AS r
              SET provider_state = 'ready', settle_after = NULL, initialize_after = NULL,
                  updated_at = now()
              ${whereUnconfirmed(registrations)}
              RETURNING ${registrationColumns}
            ), events AS (${events})
            SELECT * FROM confirmed`,
      ),
    );
  }
}

/** The rest of an UPDATE of `registrations AS r`. Several are locked in the order of their ids. */
function whereUnconfirmed(registrations: readonly RegistrationKey[]): Sql {
  const ids = registrations.map(({ id }) => id);
  const applicationIds = registrations.map(({ applicationId }) => applicationId);
  // A create confirms one: PostgreSQL plans and runs this in half the time.
  if (registrations.length === 1) {
    return sql`
      WHERE r.provider_application_id = ${applicationIds[0]} AND r.id = ${ids[0]}
        AND r.provider_state <> 'ready' AND r.deleted IS NULL`;
  }
  return sql`
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
    ${customPlan}`;
}
