import { type CourseRecord, toTimestamp } from '@registrar/contracts';
import { bytesOf, sql } from '@registrar/persistence';
import * as z from 'zod';

/** A course as {@link courseColumns} select it. */
export const courseRow = z.object({
  id: z.number(),
  course_guid: z.string(),
  course_provider_id: z.number(),
  title: z.string(),
  size: z.number(),
  versions: z.number(),
  registrations: z.number(),
  created_at: z.date(),
  updated_at: z.date(),
  custom: z.string().nullable(),
  metadata: z.string(),
  given_title: z.string().nullable(),
  warnings: z.array(z.string()),
});
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
  c.created_at, c.updated_at, c.custom, c.metadata::text AS metadata, c.given_title,
  coalesce(c.warnings, '{}') AS warnings`;

/** The bytes that a row `page` of courses takes in a list. */
export const courseBytes = bytesOf(sql`page.custom`, sql`page.metadata`, sql`page.warnings`);

/** Converts a row to the course record (contract/courses#record). */
export const toCourseRecord = ({ given_title, ...row }: CourseRow): CourseRecord => ({
  ...row,
  metadata: given_title === null ? row.metadata : withTitle(row.metadata, given_title),
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});

/** The provider may report its metadata with the title that an update has replaced. */
const withTitle = (metadata: string, title: string): string =>
  JSON.stringify({ ...(JSON.parse(metadata) as object), title });
