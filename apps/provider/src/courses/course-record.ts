import { raw, sql, type Sql } from '@registrar/persistence';
import * as z from 'zod';
import {
  type Activity,
  type CourseMetadata,
  type LearningStandard,
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

/** The optional parts of a course record. */
export interface CourseDetails {
  readonly metadata: boolean;
  readonly activities: boolean;
  readonly registrationCount: boolean;
}

/**
 * The columns of a {@link CourseRow} that depend on the details. Only these are read, because
 * activity trees and lists can be large.
 *
 * @param countBy the column of `registrations`, and the value of the course or version, to count by
 */
export const detailColumns = (
  { metadata, activities, registrationCount }: CourseDetails,
  countBy: 'course = c.id' | 'course_version = v.id',
): Sql => sql`
  v.version, v.size, v.structure ->> 'standard' AS standard,
  v.structure #>> '{root,id}' AS activity_id,
  ${raw(metadata ? `v.structure -> 'metadata'` : 'NULL')} AS metadata,
  ${raw(metadata ? 'v.warnings' : 'NULL')} AS warnings,
  ${raw(activities ? `v.structure -> 'root'` : 'NULL')} AS root,
  ${raw(registrationCount ? `(SELECT count(*) FROM registrations WHERE ${countBy})` : 'NULL::bigint')}
    AS registration_count`;

/** A course in the API. Parts that were not requested are absent. */
export interface CourseRecord {
  readonly id: string;
  readonly title: string;
  readonly created: string;
  readonly updated: string;
  readonly version: number;
  /** Bytes of the uploaded package. */
  readonly size: number;
  readonly registrationCount?: number;
  readonly activityId: string;
  readonly courseLearningStandard: LearningStandard;
  readonly tags: readonly string[];
  readonly dispatched: boolean;
  readonly metadata?: CourseMetadata;
  /** Beside the metadata. SCORM Cloud has it in import jobs only. */
  readonly parserWarnings?: readonly string[];
  readonly rootActivity?: CourseActivityRecord;
}

interface CourseActivityRecord {
  readonly itemIdentifier: string;
  readonly resourceIdentifier?: string;
  readonly activityType: 'AGGREGATION' | 'SCO' | 'ASSET';
  readonly href?: string;
  readonly scaledPassingScore?: string;
  readonly title: string;
  readonly children: readonly CourseActivityRecord[];
}

export function toCourseRecord(row: CourseRow): CourseRecord {
  return {
    id: row.course_id,
    title: row.title,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
    version: row.version,
    size: row.size,
    ...(row.registration_count !== null && { registrationCount: row.registration_count }),
    activityId: row.activity_id,
    courseLearningStandard: row.standard,
    tags: row.tags,
    dispatched: false,
    ...(row.metadata && { metadata: row.metadata }),
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
