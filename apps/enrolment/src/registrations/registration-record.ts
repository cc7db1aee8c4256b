import type { CreatedRegistrationRecord, RegistrationRecord } from '@registrar/contracts';
import { bytesOf, sendableText, sql, type Sql, timestampOf } from '@registrar/persistence';

/**
 * SQL of a time of a complete crawl of the provider application, for `registrations AS r` that the crawl
 * did not find changed or missing; else null.
 */
const crawledWithApplication = (time: Sql): Sql => sql`(
  SELECT ${time} FROM crawled_applications AS a
  WHERE a.provider_application_id = r.provider_application_id
    AND ${time} > r.last_crawled_at AND r.deleted IS NULL AND NOT r.missed
)`;

/**
 * SQL of the time of the newest crawl of `registrations AS r` (contract/registrations#record-last-crawled-at).
 * A full sweep crawls all registrations, and writes only those that changed.
 */
export const lastCrawledAt = sql`greatest(r.last_crawled_at, ${crawledWithApplication(sql`a.swept_at`)})`;

/**
 * SQL of the time at which the stored result of `registrations AS r` was that of the provider
 * (contract/registrations#synced-at).
 */
export const syncedAt = sql`greatest(r.last_crawled_at, ${crawledWithApplication(sql`a.synced_at`)})`;

/**
 * SQL of a column of the copied course `AS c` of `registrations AS r`; of a course that was deleted and created
 * again, of the existing one.
 */
export const courseColumn = (column: Sql): Sql => sql`(
  SELECT ${column} FROM courses AS c
  WHERE c.provider_application_id = r.provider_application_id AND c.course_guid = r.course_guid
  ORDER BY c.deleted, c.id DESC
  LIMIT 1
)`;

const hostedCourse = courseColumn(sql`c.id`);

const columnsWith = (hostedCourseId: Sql): Sql => sql`
  r.id, r.registration_guid, r.course_guid, r.learner_id, r.attempts, r.complete, r.success,
  r.score, r.totaltime, ${sendableText(sql`r.course_result`)} AS course_result,
  ${sendableText(sql`r.full_result`)} AS full_result, r.crawl_type, r.crawl_status,
  r.crawl_error_msg, r.number_of_crawl_errors, ${timestampOf(lastCrawledAt)} AS last_crawled_at,
  ${timestampOf(sql`r.launched_at`)} AS launched_at,
  ${timestampOf(sql`r.provider_created_at`)} AS provider_created_at,
  ${timestampOf(sql`r.provider_completed_at`)} AS provider_completed_at,
  ${timestampOf(sql`r.provider_accessed_at`)} AS provider_accessed_at, r.provider_errcode,
  r.provider_error_message, r.deleted, ${sendableText(sql`r.custom`)} AS custom, r.provider_application_id AS hosted_app_id,
  ${hostedCourseId} AS hosted_course_id,
  ${timestampOf(sql`r.created_at`)} AS created_at, ${timestampOf(sql`r.updated_at`)} AS updated_at`;

/** The columns of a `registrationRecord` (contract/registrations#record) in a statement on `registrations AS r`. */
export const registrationColumns = columnsWith(hostedCourse);

/**
 * The columns of a `listedRegistrationRecord`, in a statement on many rows, which are joined with {@link hostedCourses}:
 * PostgreSQL looks up a course once for all of its registrations, where a subquery is executed for each.
 */
export const listedRegistrationColumns = sql`
  ${columnsWith(sql`hosted.id`)}, ${timestampOf(syncedAt)} AS synced_at, r.active`;
export const hostedCourses = sql`LEFT JOIN LATERAL ${hostedCourse} AS hosted ON true`;

/** The bytes that a row `page` of registrations takes in a list. */
export const registrationBytes = bytesOf(
  ...[sql`page.custom`, sql`page.course_result`, sql`page.full_result`].map(sendableText),
);

/**
 * Converts a registration to the record that registration create returns
 * (contract/registrations#create-references).
 *
 * @param courseId the catalog's id, which the copied course may not have yet
 */
export function toCreatedRegistrationRecord(
  registration: RegistrationRecord,
  courseId: number | null,
): CreatedRegistrationRecord {
  const { hosted_app_id, hosted_course_id: _, ...record } = registration;
  return { ...record, course_provider_id: hosted_app_id, course_id: courseId };
}
