import { Outbox } from '#libs/bus';
import { registrationCreated, toTimestamp } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** The provider holds registrations: from now on they are shown, and the crawler knows of them. */
@Injectable()
export class ConfirmRegistration {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Does nothing about those that were confirmed before. */
  async run(...registrations: readonly { id: number; applicationId: number }[]): Promise<void> {
    if (registrations.length === 0) return;
    await this.database.transaction(async () => {
      const confirmed = await this.database.query<{
        applicationId: number;
        registrationGuid: string;
        courseGuid: string;
        at: Date;
      }>(
        `UPDATE registrations AS r
         SET provider_state = 'ready', settle_after = NULL, initialise_after = NULL,
             provider_errcode = NULL, provider_error_message = NULL, updated_at = now()
         FROM (
           SELECT id FROM registrations
           WHERE (id, provider_application_id) IN (
             SELECT * FROM unnest($1::integer[], $2::integer[])
           ) AND provider_state <> 'ready'
           ORDER BY id
           FOR UPDATE
         ) AS held
         WHERE r.id = held.id
         RETURNING r.provider_application_id AS "applicationId",
                   r.registration_guid AS "registrationGuid", r.course_guid AS "courseGuid",
                   r.updated_at AS at`,
        [
          registrations.map((registration) => registration.id),
          registrations.map((registration) => registration.applicationId),
        ],
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
