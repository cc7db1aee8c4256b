import type {
  Activity,
  CourseMetadata,
  CourseStructure,
  LearningStandard,
} from '../packages/course-structure.ts';

/** A course, or one version of it, as it is read from the database. */
export interface CourseRow {
  readonly id: number;
  readonly course_id: string;
  readonly title: string;
  readonly version: number;
  readonly size: number;
  readonly structure: CourseStructure;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly registration_count: number | null;
}

/** The columns of a {@link CourseRow} that its version `v` holds. */
export const versionColumns = 'v.version, v.size::float8 AS size, v.structure';

/** What a request wants to see of a course. */
export interface CourseParts {
  readonly metadata: boolean;
  /** The tree of what can be launched. */
  readonly activities: boolean;
}

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

export function courseRecord(row: CourseRow, parts: CourseParts): CourseRecord {
  const { structure } = row;
  return {
    id: row.course_id,
    title: row.title,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
    version: row.version,
    size: row.size,
    ...(row.registration_count !== null && { registrationCount: row.registration_count }),
    activityId: structure.root.id,
    courseLearningStandard: structure.standard,
    tags: [],
    dispatched: false,
    ...(parts.metadata && { metadata: structure.metadata }),
    ...(parts.activities && { rootActivity: activityRecord(structure.root) }),
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
