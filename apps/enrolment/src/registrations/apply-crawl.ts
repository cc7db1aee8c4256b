import { type CrawlOutcome, type CrawlType } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { courseResult, fullResult } from './course-result.ts';
import { isNews, type KnownOutcomes } from './crawl-order.ts';

/** What a crawl of one provider application has found. */
interface Crawl {
  readonly applicationId: number;
  readonly sequence: number;
  /** When the provider was asked: ISO 8601, UTC. */
  readonly crawledAt: string;
  readonly crawlType: CrawlType;
  readonly outcomes: readonly CrawlOutcome[];
}

type OutcomeOf<Kind extends CrawlOutcome['outcome']> = Extract<CrawlOutcome, { outcome: Kind }>;

/**
 * Copies what crawls have found into the registrations, as far as it is news ({@link isNews}). What
 * follows from the newest result, deletion and failure together (deleted, crawl_status, missed) the
 * database derives by itself.
 */
@Injectable()
export class ApplyCrawl {
  constructor(private readonly database: Database) {}

  /** Applies a crawl to the registrations that are known; the others are passed over. */
  async run(crawl: Crawl): Promise<void> {
    await this.database.transaction(async () => {
      const known = await this.lock(crawl);
      const news = crawl.outcomes.filter(({ outcome, registrationGuid }) => {
        const its = known.get(registrationGuid);
        return its && isNews(outcome, crawl.sequence, its);
      });
      await this.applyResults(crawl, only(news, 'crawled'));
      await this.applyDeletions(crawl, only(news, 'deleted'));
      await this.applyFailures(crawl, only(news, 'failed'));
    });
  }

  /**
   * What is known of each registration. It stays so meanwhile: they are locked, in one order for
   * all, so that two crawls of the same registrations cannot block each other.
   */
  private async lock(crawl: Crawl): Promise<Map<string, KnownOutcomes>> {
    const rows = await this.database.query<KnownOutcomes & { registrationGuid: string }>(
      `SELECT registration_guid AS "registrationGuid", result_sequence::float AS crawled,
              deletion_sequence::float AS deleted, failure_sequence::float AS failed
       FROM registrations
       WHERE provider_application_id = $1 AND registration_guid = ANY($2)
       ORDER BY id FOR UPDATE`,
      [crawl.applicationId, crawl.outcomes.map((outcome) => outcome.registrationGuid)],
    );
    return new Map(rows.map(({ registrationGuid, ...known }) => [registrationGuid, known]));
  }

  private async applyResults(crawl: Crawl, outcomes: OutcomeOf<'crawled'>[]): Promise<void> {
    if (outcomes.length === 0) return;
    const results = outcomes.map(({ registrationGuid, result }) => ({
      registration_guid: registrationGuid,
      attempts: result.attempts,
      complete: result.completion,
      success: result.success,
      score: result.score,
      totaltime: result.totalSeconds,
      course_result: courseResult(result),
      full_result: crawl.crawlType === 'full' ? fullResult(result) : null,
      provider_created_at: result.createdAt,
      provider_completed_at: result.completedAt,
      provider_accessed_at: result.accessedAt,
    }));
    await this.database.query(
      `UPDATE registrations AS r
       SET attempts = o.attempts, complete = o.complete, success = o.success, score = o.score,
           totaltime = o.totaltime, course_result = o.course_result, full_result = o.full_result,
           provider_created_at = o.provider_created_at,
           provider_completed_at = o.provider_completed_at,
           provider_accessed_at = o.provider_accessed_at,
           crawl_type = $4, result_sequence = $2,
           last_crawled_at = greatest(r.last_crawled_at, $3::timestamptz),
           updated_at = now()
       FROM json_to_recordset($5::json) AS o (
         registration_guid text, attempts integer, complete text, success text,
         score double precision, totaltime double precision, course_result text, full_result text,
         provider_created_at timestamptz, provider_completed_at timestamptz,
         provider_accessed_at timestamptz
       )
       WHERE r.provider_application_id = $1
         AND r.registration_guid = o.registration_guid`,
      [
        crawl.applicationId,
        crawl.sequence,
        crawl.crawledAt,
        crawl.crawlType,
        JSON.stringify(results),
      ],
    );
  }

  private async applyDeletions(crawl: Crawl, outcomes: OutcomeOf<'deleted'>[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.database.query(
      `UPDATE registrations AS r
       SET deletion_sequence = $2,
           last_crawled_at = greatest(r.last_crawled_at, $3::timestamptz),
           updated_at = now()
       WHERE r.provider_application_id = $1
         AND r.registration_guid = ANY($4)`,
      [
        crawl.applicationId,
        crawl.sequence,
        crawl.crawledAt,
        outcomes.map((outcome) => outcome.registrationGuid),
      ],
    );
  }

  /** A failure leaves last_crawled_at as it is: what is stored has become no fresher. */
  private async applyFailures(crawl: Crawl, outcomes: OutcomeOf<'failed'>[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.database.query(
      `UPDATE registrations AS r
       SET failure_sequence = $2, number_of_crawl_errors = r.number_of_crawl_errors + 1,
           provider_errcode = o.code, provider_error_message = o.message,
           updated_at = now()
       FROM unnest($3::text[], $4::text[], $5::text[]) AS o (registration_guid, code, message)
       WHERE r.provider_application_id = $1
         AND r.registration_guid = o.registration_guid`,
      [
        crawl.applicationId,
        crawl.sequence,
        outcomes.map((outcome) => outcome.registrationGuid),
        outcomes.map((outcome) => outcome.errorCode),
        outcomes.map((outcome) => outcome.errorMessage),
      ],
    );
  }
}

function only<Kind extends CrawlOutcome['outcome']>(
  outcomes: readonly CrawlOutcome[],
  kind: Kind,
): OutcomeOf<Kind>[] {
  return outcomes.filter((outcome): outcome is OutcomeOf<Kind> => outcome.outcome === kind);
}
