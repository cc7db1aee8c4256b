import { type CrawlOutcome, type CrawlType } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { courseResult, fullResult } from './course-result.ts';

export type CrawledOutcome = Extract<CrawlOutcome, { outcome: 'crawled' }>;

/** The columns of `registrations` that a result sets, from a record `o` of {@link resultRecords}. */
export const resultColumns = {
  names: sql`
    attempts, complete, success, score, totaltime, course_result, full_result,
    provider_created_at, provider_completed_at, provider_accessed_at, launch_open, result_digest`,
  values: sql`
    o.attempts, o.complete, o.success, o.score, o.totaltime, o.course_result, o.full_result,
    o.provider_created_at, o.provider_completed_at, o.provider_accessed_at, o.launch_open,
    decode(o.digest, 'hex')`,
};

/** The definition of the records for `json_to_recordset`, whose alias is `o`. */
export const resultRecordset = sql`o (
  registration_guid text, course_guid text, learner_id text, attempts integer, complete text,
  success text, score double precision, totaltime double precision, course_result text,
  full_result text, provider_created_at timestamptz, provider_completed_at timestamptz,
  provider_accessed_at timestamptz, launch_open boolean, digest text
)`;

/** Returns results as JSON text, for `json_to_recordset` with {@link resultRecordset}. */
export const resultRecords = (outcomes: readonly CrawledOutcome[], crawlType: CrawlType): string =>
  JSON.stringify(
    outcomes.map(({ registrationGuid, result, digest }) => ({
      registration_guid: registrationGuid,
      course_guid: result.courseGuid,
      learner_id: result.learner.email || result.learner.id,
      attempts: result.attempts,
      complete: result.completion,
      success: result.success,
      score: result.score,
      totaltime: result.totalSeconds,
      course_result: courseResult(result),
      full_result: crawlType === 'full' ? fullResult(result) : null,
      provider_created_at: result.createdAt,
      provider_completed_at: result.completedAt,
      provider_accessed_at: result.accessedAt,
      launch_open: result.hasOpenLaunch ?? null,
      digest,
    })),
  );
