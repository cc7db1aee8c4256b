import { type CourseRecord, toTimestamp } from '#libs/contracts';

/** A course as {@link courseColumns} select it. */
export type CourseRow = Omit<CourseRecord, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** What a query `FROM courses AS c` selects for a record. */
export const courseColumns = `
  c.id, c.course_guid, c.provider_application_id AS course_provider_id, c.title,
  c.size::double precision AS size, c.versions::double precision AS versions,
  c.registrations::double precision AS registrations, c.created_at, c.updated_at, c.custom,
  c.metadata::text AS metadata`;

/** The course record of api-v2.md. */
export const courseRecord = (row: CourseRow): CourseRecord => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});
