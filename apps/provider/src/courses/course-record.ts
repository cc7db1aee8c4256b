import type { Activity, CourseMetadata, LearningStandard } from '../packages/course-structure.ts';

/** A course, or one version of it, as it is read from the database. */
export interface CourseRow {
  readonly id: number;
  readonly course_id: string;
  readonly title: string;
  readonly version: number;
  readonly size: number;
  readonly standard: LearningStandard;
  readonly activity_id: string;
  /** Null where the query left it out. */
  readonly metadata: CourseMetadata | null;
  /** Null where the query left it out. */
  readonly root: Activity | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly registration_count: number | null;
}

/** What a request wants to see of a course. */
export interface CourseParts {
  readonly metadata: boolean;
  /** The tree of what can be launched. */
  readonly activities: boolean;
}

/**
 * SQL text: the columns of a {@link CourseRow} that its version `v` holds. Trees can be large, and
 * lists long: only what was asked for is read.
 */
export const versionColumns = ({ metadata, activities }: CourseParts): string => `
  v.version, v.size::float8 AS size, v.structure ->> 'standard' AS standard,
  v.structure #>> '{root,id}' AS activity_id,
  ${metadata ? `v.structure -> 'metadata'` : 'NULL'} AS metadata,
  ${activities ? `v.structure -> 'root'` : 'NULL'} AS root`;

/** A course as the API tells it. What was not asked for is left out. */
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

export function courseRecord(row: CourseRow): CourseRecord {
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
    tags: [],
    dispatched: false,
    ...(row.metadata && { metadata: row.metadata }),
    ...(row.root && { rootActivity: activityRecord(row.root) }),
  };
}

const activityRecord = (activity: Activity): CourseActivityRecord => ({
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
  children: activity.children.map(activityRecord),
});
