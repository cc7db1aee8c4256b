import { type PayloadOf } from '#libs/bus';
import { type registrationsSwept } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Notes which registrations a whole sweep of a provider did not see, to be asked for by name. */
@Injectable()
export class NoteSweep {
  constructor(private readonly database: Database) {}

  async run(sweep: PayloadOf<typeof registrationsSwept>): Promise<void> {
    await this.database.query(
      `UPDATE registrations
       SET missed_sequence = $2, verify_after = '-infinity'
       WHERE id IN (
         SELECT id FROM registrations
         WHERE provider_application_id = $1 AND provider_state = 'ready' AND deleted IS NULL
           AND result_sequence < $2 AND created_at < $3
         ORDER BY id
         FOR UPDATE
       )`,
      [sweep.applicationId, sweep.sequence, sweep.startedAt],
    );
  }
}
