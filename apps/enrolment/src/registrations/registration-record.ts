import {
  type CreatedRegistrationRecord,
  type RegistrationRecord,
  toTimestamp,
} from '#libs/contracts';

/** A registration as {@link registrationColumns} select it. */
export type RegistrationRow = {
  [Field in keyof RegistrationRecord]: Field extends `${string}_at`
    ? Date | Extract<RegistrationRecord[Field], null>
    : RegistrationRecord[Field];
};

/**
 * What a query `FROM registrations AS r` selects for a record. The course's id is that of the
 * copied course; of a course that was deleted and made again, the one that is there.
 */
export const registrationColumns = `
  r.id, r.registration_guid, r.course_guid, r.learner_id, r.attempts, r.complete, r.success,
  r.score, r.totaltime, r.course_result, r.full_result, r.crawl_type, r.crawl_status,
  r.crawl_error_msg, r.number_of_crawl_errors, r.last_crawled_at, r.launched_at,
  r.provider_created_at, r.provider_completed_at, r.provider_accessed_at, r.provider_errcode,
  r.provider_error_message, r.deleted, r.custom, r.provider_application_id AS hosted_app_id,
  (
    SELECT c.id FROM courses AS c
    WHERE c.provider_application_id = r.provider_application_id AND c.course_guid = r.course_guid
    ORDER BY c.deleted, c.id DESC
    LIMIT 1
  ) AS hosted_course_id,
  r.created_at, r.updated_at`;

const timestampOrNull = (date: Date | null) => date && toTimestamp(date);

/** The registration record of api-v2.md. */
export function registrationRecord(row: RegistrationRow): RegistrationRecord {
  return {
    ...row,
    last_crawled_at: timestampOrNull(row.last_crawled_at),
    launched_at: timestampOrNull(row.launched_at),
    provider_created_at: timestampOrNull(row.provider_created_at),
    provider_completed_at: timestampOrNull(row.provider_completed_at),
    provider_accessed_at: timestampOrNull(row.provider_accessed_at),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}

/** The same record as create answers it. The course's id may be newer than the copied course. */
export function createdRegistrationRecord(
  row: RegistrationRow,
  courseId: number,
): CreatedRegistrationRecord {
  const { hosted_app_id, hosted_course_id: _, ...record } = registrationRecord(row);
  return { ...record, course_provider_id: hosted_app_id, course_id: courseId };
}
