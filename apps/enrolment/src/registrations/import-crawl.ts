import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { registrationsCrawled } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { ApplyCrawl } from './apply-crawl.ts';
import { resultColumns, resultRecords, resultRecordset } from './result-records.ts';

type Crawl = PayloadOf<typeof registrationsCrawled>;

const importedRow = z.object({ registrationGuid: z.string() });

/** Imports the outcomes of a crawl, registrations that were unknown before included. */
@Controller()
export class ImportCrawl {
  constructor(
    private readonly database: Database,
    private readonly applyCrawl: ApplyCrawl,
  ) {}

  @HandleEvent(registrationsCrawled)
  async import(crawl: Crawl): Promise<void> {
    await this.database.transaction(async () => {
      const imported = await this.insertUnknown(crawl);
      const outcomes = crawl.outcomes.filter((each) => !imported.has(each.registrationGuid));
      await this.applyCrawl.apply({ ...crawl, outcomes });
    });
  }

  /**
   * Inserts unknown registrations with their results, by one statement, because a later update would write
   * each row and its entries in all indexes again. Ids ascend with the creation time at the provider, as
   * those of {@link AdoptRegistrations} do.
   *
   * @returns the GUIDs of the inserted ones
   */
  private async insertUnknown(crawl: Crawl): Promise<Set<string>> {
    const { applicationId, realmId, crawlType, sequence, crawledAt } = crawl;
    const found = crawl.outcomes.filter((each) => each.outcome === 'crawled');
    if (found.length === 0) return new Set();
    // Known ones are left out before the INSERT, because a row in conflict would use up an id.
    const rows = await this.database.many(
      importedRow,
      sql`INSERT INTO registrations (
            realm_id, provider_application_id, registration_guid, course_guid, learner_id,
            provider_state, crawl_type, result_sequence, last_crawled_at, ${resultColumns.names}
          )
          SELECT ${realmId}::bigint, ${applicationId}::bigint, o.registration_guid, o.course_guid,
                 o.learner_id, 'ready', ${crawlType}::text, ${sequence}::bigint,
                 ${crawledAt}::timestamptz, ${resultColumns.values}
          FROM json_to_recordset(${resultRecords(found, crawlType)}::json) AS ${resultRecordset}
          WHERE NOT EXISTS (
            SELECT FROM registrations AS r
            WHERE r.provider_application_id = ${applicationId}
              AND r.registration_guid = o.registration_guid
          )
          ORDER BY o.provider_created_at NULLS FIRST, o.registration_guid
          ON CONFLICT (provider_application_id, registration_guid) DO NOTHING
          RETURNING registration_guid AS "registrationGuid"`,
    );
    return new Set(rows.map(({ registrationGuid }) => registrationGuid));
  }
}
