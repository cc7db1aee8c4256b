import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { changesCrawled } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Records for a provider application as of when its stored results are complete. */
@Controller()
export class RecordChanges {
  constructor(private readonly database: Database) {}

  @HandleEvent(changesCrawled)
  async record({ applicationId, startedAt }: PayloadOf<typeof changesCrawled>): Promise<void> {
    await this.database.execute(sql`
      INSERT INTO crawled_applications AS a (provider_application_id, synced_at)
      VALUES (${applicationId}, ${startedAt})
      ON CONFLICT (provider_application_id)
      DO UPDATE SET synced_at = greatest(a.synced_at, excluded.synced_at)`);
  }
}
