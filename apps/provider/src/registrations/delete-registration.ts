import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type { Application } from '../applications/application.ts';
import { unknownRegistration } from './find-registration.ts';

/** Removes a registration, or what the learner has done in it. */
@Injectable()
export class DeleteRegistration {
  constructor(private readonly database: Database) {}

  async run(application: Application, registrationId: string): Promise<void> {
    const deleted = await this.database.query(
      `DELETE FROM registrations WHERE application_id = $1 AND registration_id = $2 RETURNING id`,
      [application.id, registrationId],
    );
    if (deleted.length === 0) throw unknownRegistration(registrationId);
  }

  /** The registration begins anew; windows in which the course is open can report no more. */
  async progress(application: Application, registrationId: string): Promise<void> {
    await this.database.transaction(async () => {
      const [reset] = await this.database.query<{ id: number }>(
        `UPDATE registrations SET
           completion = DEFAULT, success = DEFAULT, score = NULL, progress = NULL,
           total_seconds = DEFAULT, first_access_at = NULL, last_access_at = NULL,
           completed_at = NULL, updated_at = clock_timestamp()
         WHERE application_id = $1 AND registration_id = $2 RETURNING id`,
        [application.id, registrationId],
      );
      if (!reset) throw unknownRegistration(registrationId);
      const ofReset = 'registration = r.id AND r.application_id = $1 AND r.id = $2';
      const parameters = [application.id, reset.id];
      await this.database.query(
        `DELETE FROM sco_states USING registrations r WHERE ${ofReset}`,
        parameters,
      );
      await this.database.query(
        `UPDATE launches SET expires_at = now() FROM registrations r
         WHERE ${ofReset} AND expires_at > now()`,
        parameters,
      );
    });
  }
}
