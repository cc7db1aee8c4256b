import { type PayloadOf } from '@registrar/bus';
import { type CrawlOutcome, type registrationsCrawled } from '@registrar/contracts';
import { Database, sql, type Sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AppliedSequences, isNewer } from './crawl-order.ts';
import { resultColumns, resultRecords, resultRecordset } from './result-records.ts';

/** The outcomes of a crawl of one provider application. */
type Crawl = Omit<PayloadOf<typeof registrationsCrawled>, 'realmId'>;

const appliedSequencesRow = z.object({
  registrationGuid: z.string(),
  crawled: z.number(),
  deleted: z.number(),
  failed: z.number(),
  unchanged: z.number(),
});

/**
 * Copies the outcomes of crawls into the registrations, except for outdated ones ({@link isNewer}).
 * What depends on the newest result, deletion and failure together (deleted, crawl_status, missed)
 * are generated columns.
 */
@Injectable()
export class ApplyCrawl {
  constructor(private readonly database: Database) {}

  /** Applies a crawl to the known registrations and ignores outcomes of unknown ones. */
  async apply(crawl: Crawl): Promise<void> {
    await this.database.transaction(async () => {
      const applied = await this.lockAppliedSequences(crawl);
      const newer = crawl.outcomes.filter(({ outcome, registrationGuid }) => {
        const sequences = applied.get(registrationGuid);
        return sequences && isNewer(outcome, crawl.sequence, sequences);
      });
      await this.applyResults(crawl, newer);
      await this.applyDeletions(crawl, newer);
      await this.applyFailures(crawl, newer);
    });
  }

  /**
   * Locks the registrations of a crawl and returns their sequences. All crawls lock in the order of
   * ids, so that two of them cannot deadlock.
   */
  private async lockAppliedSequences(crawl: Crawl): Promise<Map<string, AppliedSequences>> {
    const rows = await this.database.many(
      appliedSequencesRow,
      sql`SELECT r.registration_guid AS "registrationGuid", r.result_sequence AS crawled,
                 r.deletion_sequence AS deleted, r.failure_sequence AS failed,
                 ${unchangedSequence(crawl)} AS unchanged
          FROM registrations AS r
          WHERE r.provider_application_id = ${crawl.applicationId}
            AND r.registration_guid = ANY(${guidsOf(crawl.outcomes)})
          ORDER BY r.id FOR UPDATE OF r`,
    );
    return new Map(rows.map(({ registrationGuid, ...sequences }) => [registrationGuid, sequences]));
  }

  private async applyResults(crawl: Crawl, newer: readonly CrawlOutcome[]): Promise<void> {
    const outcomes = newer.filter((each) => each.outcome === 'crawled');
    if (outcomes.length === 0) return;
    await this.database.execute(
      sql`UPDATE registrations AS r
          SET (${resultColumns.names}) = ROW(${resultColumns.values}),
              crawl_type = ${crawl.crawlType}, result_sequence = ${crawl.sequence},
              last_crawled_at = greatest(r.last_crawled_at, ${crawl.crawledAt}::timestamptz),
              updated_at = now()
          FROM json_to_recordset(${resultRecords(outcomes, crawl.crawlType)}::json)
            AS ${resultRecordset}
          WHERE r.provider_application_id = ${crawl.applicationId}
            AND r.registration_guid = o.registration_guid`,
    );
  }

  private async applyDeletions(crawl: Crawl, newer: readonly CrawlOutcome[]): Promise<void> {
    const outcomes = newer.filter((each) => each.outcome === 'deleted');
    if (outcomes.length === 0) return;
    await this.database.execute(
      sql`UPDATE registrations AS r
          SET deletion_sequence = ${crawl.sequence},
              last_crawled_at = greatest(r.last_crawled_at, ${crawl.crawledAt}::timestamptz),
              updated_at = now()
          WHERE r.provider_application_id = ${crawl.applicationId}
            AND r.registration_guid = ANY(${guidsOf(outcomes)})`,
    );
  }

  /** Leaves last_crawled_at unchanged, because the stored result is as old as before. */
  private async applyFailures(crawl: Crawl, newer: readonly CrawlOutcome[]): Promise<void> {
    const outcomes = newer.filter((each) => each.outcome === 'failed');
    if (outcomes.length === 0) return;
    await this.database.execute(
      sql`UPDATE registrations AS r
          SET failure_sequence = ${crawl.sequence},
              number_of_crawl_errors = r.number_of_crawl_errors + 1,
              provider_errcode = o.code, provider_error_message = o.message,
              updated_at = now()
          FROM unnest(
              ${guidsOf(outcomes)}::text[],
              ${outcomes.map((outcome) => outcome.errorCode)}::text[],
              ${outcomes.map((outcome) => outcome.errorMessage)}::text[]
            ) AS o (registration_guid, code, message)
          WHERE r.provider_application_id = ${crawl.applicationId}
            AND r.registration_guid = o.registration_guid`,
    );
  }
}

/**
 * SQL of the sequence of the newest crawl that found `registrations AS r` unchanged and is newer than
 * `crawl`; 0 if there is none. It is a page of a running sweep, or a complete sweep that has neither
 * missed nor changed the registration.
 */
const unchangedSequence = ({ applicationId, sequence }: Crawl): Sql => sql`
  greatest(
    0,
    (
      SELECT max(p.sequence) FROM swept_pages AS p
      WHERE p.provider_application_id = ${applicationId} AND p.sequence > ${sequence}
        AND r.id = ANY(p.registration_ids)
    ),
    (
      SELECT a.swept_sequence FROM crawled_applications AS a
      WHERE a.provider_application_id = ${applicationId} AND r.created_at < a.swept_at
        AND a.swept_sequence > greatest(
          r.swept_sequence, r.result_sequence, r.deletion_sequence, r.failure_sequence
        )
    )
  )`;

const guidsOf = (outcomes: readonly CrawlOutcome[]): string[] =>
  outcomes.map((outcome) => outcome.registrationGuid);
