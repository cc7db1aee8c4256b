import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { registrationsSwept } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';

/**
 * Records a full sweep of a provider application. Registrations that the sweep did not return are
 * missed, and are then crawled by name ({@link VerifyMissedRegistrations}). Deleted ones are
 * recorded too, because a result from before the sweep may bring them back.
 */
@Injectable()
export class RecordSweep {
  constructor(private readonly database: Database) {}

  @HandleEvent(registrationsSwept)
  async record(sweep: PayloadOf<typeof registrationsSwept>): Promise<void> {
    await this.database.execute(
      sql`UPDATE registrations
          SET swept_sequence = ${sweep.sequence}, verify_after = '-infinity'
          WHERE provider_application_id = ${sweep.applicationId} AND id IN (
            SELECT id FROM registrations
            WHERE provider_application_id = ${sweep.applicationId} AND provider_state = 'ready'
              AND created_at < ${sweep.startedAt}
              AND ${sweep.sequence} > greatest(
                swept_sequence, result_sequence, deletion_sequence, failure_sequence
              )
            ORDER BY id
            FOR UPDATE
          )`,
    );
  }
}
