import { raw, sql, type Sql } from '@registrar/persistence';
import * as z from 'zod';
import { flag } from '../http/parse.ts';
import {
  type Activity,
  type CourseMetadata,
  learningStandards,
} from '../packages/course-structure.ts';

/** A course, or one version of it, as it is read from the database. */
export const courseRow = z.object({
  id: z.number(),
  course_id: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  version: z.number(),
  size: z.number(),
  standard: z.enum(learningStandards),
  activity_id: z.string(),
  /** Null if the query did not select it. */
  metadata: z.custom<CourseMetadata>().nullable(),
  /** Null if the query did not select it. */
  warnings: z.array(z.string()).nullable(),
  /** Null if the query did not select it. */
  root: z.custom<Activity>().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  /** Null if the query did not select it. */
  registration_count: z.number().nullable(),
});
export type CourseRow = z.output<typeof courseRow>;

/** The parameters that request the optional parts of a course's record. */
export const courseQuery = z.strictObject({
  includeCourseMetadata: flag.default(false),
  includeRegistrationCount: flag.default(false),
});
export type CourseQuery = z.output<typeof courseQuery>;

/**
 * The columns of a {@link CourseRow} that depend on the query. Only what it requests is read, because
 * activity trees and lists can be large.
 *
 * @param withActivities whether the record has the activity tree
 * @param countBy the column of `registrations`, and the value of the course or version, to count by
 */
export const detailColumns = (
  { includeCourseMetadata, includeRegistrationCount }: CourseQuery,
  withActivities: boolean,
  countBy: 'course = c.id' | 'course_version = v.id',
): Sql => sql`
  v.version, v.size, v.structure ->> 'standard' AS standard,
  v.structure #>> '{root,id}' AS activity_id,
  ${raw(includeCourseMetadata ? `v.structure -> 'metadata'` : 'NULL')} AS metadata,
  ${raw(includeCourseMetadata ? 'v.warnings' : 'NULL')} AS warnings,
  ${raw(withActivities ? `v.structure -> 'root'` : 'NULL')} AS root,
  ${raw(includeRegistrationCount ? `(SELECT count(*) FROM registrations WHERE ${countBy})` : 'NULL::bigint')}
    AS registration_count`;

interface CourseActivityRecord {
  readonly itemIdentifier: string;
  readonly resourceIdentifier?: string;
  readonly activityType: 'AGGREGATION' | 'SCO' | 'ASSET';
  readonly href?: string;
  readonly scaledPassingScore?: string;
  readonly title: string;
  readonly children: readonly CourseActivityRecord[];
}

export type CourseRecord = ReturnType<typeof toCourseRecord>;

/** Returns a course in the API. Parts that were not requested are absent. */
export function toCourseRecord(row: CourseRow) {
  return {
    id: row.course_id,
    title: row.title,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
    version: row.version,
    /** Bytes of the uploaded package. */
    size: row.size,
    ...(row.registration_count !== null && { registrationCount: row.registration_count }),
    activityId: row.activity_id,
    courseLearningStandard: row.standard,
    tags: row.tags,
    dispatched: false,
    ...(row.metadata && { metadata: row.metadata }),
    /** Beside the metadata. SCORM Cloud has it in import jobs only. */
    ...(row.warnings && { parserWarnings: row.warnings }),
    ...(row.root && { rootActivity: toCourseActivityRecord(row.root) }),
  };
}

const toCourseActivityRecord = (activity: Activity): CourseActivityRecord => ({
  itemIdentifier: activity.id,
  ...(activity.resource && {
    resourceIdentifier: activity.resource.id,
    href: activity.resource.href,
  }),
  activityType: activity.resource?.type ?? 'AGGREGATION',
  ...(activity.scaledPassingScore !== null && {
    scaledPassingScore: String(activity.scaledPassingScore),
  }),
  title: activity.title,
  children: activity.children.map(toCourseActivityRecord),
});
