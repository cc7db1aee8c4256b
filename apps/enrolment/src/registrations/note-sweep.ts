import { type PayloadOf } from '#libs/bus';
import { type registrationsSwept } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/**
 * Notes which registrations a whole sweep of a provider did not see, to be asked for by name.
 * Deleted ones are noted too, for they may come back by a result from before the sweep.
 */
@Injectable()
export class NoteSweep {
  constructor(private readonly database: Database) {}

  async run(sweep: PayloadOf<typeof registrationsSwept>): Promise<void> {
    await this.database.query(
      `UPDATE registrations
       SET swept_sequence = $2, verify_after = '-infinity'
       WHERE id IN (
         SELECT id FROM registrations
         WHERE provider_application_id = $1 AND provider_state = 'ready' AND created_at < $3
           AND $2 > greatest(
             swept_sequence, result_sequence, deletion_sequence, failure_sequence
           )
         ORDER BY id
         FOR UPDATE
       )`,
      [sweep.applicationId, sweep.sequence, sweep.startedAt],
    );
  }
}
