import { type CourseRecord, courseRecord } from '@registrar/contracts';
import { bytesOf, sql, timestampOf } from '@registrar/persistence';
import * as z from 'zod';

/** A course as {@link courseColumns} select it. */
export const courseRow = courseRecord.extend({ given_title: z.string().nullable() });
type CourseRow = z.output<typeof courseRow>;

/** The columns of a {@link courseRow}, for a query `FROM courses AS c`. */
export const courseColumns = sql`
  c.id, c.course_guid, c.provider_application_id AS course_provider_id, c.title, c.size, c.versions,
  coalesce(
    (
      SELECT n.registrations FROM registration_counts AS n
      WHERE n.provider_application_id = c.provider_application_id AND n.course_guid = c.course_guid
    ),
    0
  ) AS registrations,
  ${timestampOf(sql`c.created_at`)} AS created_at, ${timestampOf(sql`c.updated_at`)} AS updated_at,
  c.custom, c.metadata::text AS metadata, c.given_title,
  coalesce(c.warnings, '{}') AS warnings`;

/** The bytes that a row `page` of courses takes in a list. */
export const courseBytes = bytesOf(sql`page.custom`, sql`page.metadata`, sql`page.warnings`);

/** Converts a row to the course record (contract/courses#record). */
export const toCourseRecord = ({ given_title, ...row }: CourseRow): CourseRecord => ({
  ...row,
  metadata: given_title === null ? row.metadata : withTitle(row.metadata, given_title),
});

/** The provider may report its metadata with the title that an update has replaced. */
const withTitle = (metadata: string, title: string): string =>
  JSON.stringify({ ...(JSON.parse(metadata) as object), title });
