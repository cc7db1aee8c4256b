import { type Outbox, type PayloadOf } from '@registrar/bus';
import { courseChanged } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';

/** What other contexts learn of a course, without its provider application. */
type CourseChange = Omit<PayloadOf<typeof courseChanged>, 'applicationId'> & { isNews?: boolean };

/** A course that a statement inserted or updated, and whether other contexts have to learn of it. */
export const changedCourseRow = z.object({
  courseId: z.number(),
  courseGuid: z.string(),
  title: z.string(),
  deleted: z.boolean(),
  version: z.number(),
  keywords: z.array(z.string()),
  isNews: z.boolean(),
});

/** The columns of a {@link changedCourseRow}, for a statement on `courses AS c`. */
export const changedCourseColumns = sql`
  c.id AS "courseId", c.course_guid AS "courseGuid", c.title, c.deleted, c.version,
  coalesce(c.keywords, '{}') AS keywords, c.changed_at = now() AS "isNews"`;

/** Publishes the changes, except those that other contexts do not have to learn of. */
export async function publishCourseChanges(
  outbox: Outbox,
  applicationId: number,
  changes: readonly CourseChange[],
): Promise<void> {
  const payloads = changes
    .filter(({ isNews }) => isNews !== false)
    .map(({ isNews: _, ...change }) => ({ ...change, applicationId }));
  await outbox.publishAll(courseChanged, payloads);
}
