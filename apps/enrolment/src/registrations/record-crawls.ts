import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { changesCrawled, registrationsSwept } from '@registrar/contracts';
import { customPlan, Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Records complete crawls of provider applications. */
@Controller()
export class RecordCrawls {
  constructor(private readonly database: Database) {}

  /** Records as of when the stored results of a provider application are complete. */
  @HandleEvent(changesCrawled)
  async recordChanges(crawl: PayloadOf<typeof changesCrawled>): Promise<void> {
    await this.database.execute(sql`
      INSERT INTO crawled_applications AS a (provider_application_id, synced_at)
      VALUES (${crawl.applicationId}, ${crawl.startedAt})
      ON CONFLICT (provider_application_id)
      DO UPDATE SET synced_at = greatest(a.synced_at, excluded.synced_at)`);
  }

  /**
   * Records a full sweep. Registrations that the sweep did not return are missed, and are then crawled
   * by name ({@link VerifyMissedRegistrations}). Deleted ones are recorded too, because a result from
   * before the sweep may bring them back.
   */
  @HandleEvent(registrationsSwept)
  async recordSweep(sweep: PayloadOf<typeof registrationsSwept>): Promise<void> {
    await this.database.transaction(async () => {
      const isNewest = await this.database.execute(sql`
        INSERT INTO crawled_applications AS a
          (provider_application_id, swept_sequence, swept_at, synced_at)
        VALUES (${sweep.applicationId}, ${sweep.sequence}, ${sweep.startedAt}, ${sweep.startedAt})
        ON CONFLICT (provider_application_id) DO UPDATE
        SET swept_sequence = excluded.swept_sequence, swept_at = excluded.swept_at,
            synced_at = greatest(a.synced_at, excluded.synced_at)
        WHERE a.swept_sequence < excluded.swept_sequence`);
      // The pages of an older sweep are gone, so that all its registrations would seem to be missed.
      if (isNewest === 0) return;
      await this.recordMissed(sweep);
      await this.database.execute(sql`
        DELETE FROM swept_pages
        WHERE provider_application_id = ${sweep.applicationId} AND sweep <= ${sweep.sequence}`);
    });
  }

  private async recordMissed({
    applicationId,
    sequence,
    startedAt,
  }: PayloadOf<typeof registrationsSwept>): Promise<void> {
    await this.database.execute(
      sql`WITH listed AS MATERIALIZED (
            SELECT DISTINCT unnest(registration_ids) AS id FROM swept_pages
            WHERE provider_application_id = ${applicationId} AND sweep = ${sequence}
          )
          UPDATE registrations
          SET swept_sequence = ${sequence}, verify_after = '-infinity'
          WHERE provider_application_id = ${applicationId} AND id IN (
            SELECT r.id FROM registrations AS r
            WHERE r.provider_application_id = ${applicationId} AND r.provider_state = 'ready'
              AND r.created_at < ${startedAt}
              AND ${sequence} > greatest(
                r.swept_sequence, r.result_sequence, r.deletion_sequence, r.failure_sequence
              )
              AND NOT EXISTS (SELECT FROM listed AS l WHERE l.id = r.id)
            ORDER BY r.id
            FOR UPDATE OF r
          ) ${customPlan}`,
    );
  }
}
