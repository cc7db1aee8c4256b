import { Outbox } from '#libs/bus';
import { registrationCreated, toTimestamp } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** The provider holds a registration: from now on it is shown, and the crawler knows of it. */
@Injectable()
export class ConfirmRegistration {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Does nothing when it was confirmed before. */
  async run({ id, applicationId }: { id: number; applicationId: number }): Promise<void> {
    await this.database.transaction(async () => {
      const [confirmed] = await this.database.query<{
        registrationGuid: string;
        courseGuid: string;
        at: Date;
      }>(
        `UPDATE registrations
         SET provider_state = 'ready', settle_after = NULL, updated_at = now()
         WHERE id = $1 AND provider_application_id = $2 AND provider_state <> 'ready'
         RETURNING registration_guid AS "registrationGuid", course_guid AS "courseGuid",
                   updated_at AS at`,
        [id, applicationId],
      );
      if (!confirmed) return;
      await this.outbox.publish(registrationCreated, {
        ...confirmed,
        applicationId,
        at: toTimestamp(confirmed.at),
      });
    });
  }
}
