/** The standards, by their names in the API (`courseLearningStandard`). */
export const learningStandards = [
  'SCORM12',
  'SCORM20042NDEDITION',
  'SCORM20043RDEDITION',
  'SCORM20044THEDITION',
] as const;
export type LearningStandard = (typeof learningStandards)[number];

/** The parts of a package's manifest that the player and the API use. */
export interface CourseStructure {
  readonly standard: LearningStandard;
  /** The default organization: the course as a tree. */
  readonly root: Activity;
  readonly metadata: CourseMetadata;
}

/** The manifest's learning object metadata. Absent values are empty. */
export interface CourseMetadata {
  readonly title: string;
  readonly description: string;
  /** In the manifest's own format. */
  readonly duration: string;
  readonly typicalTime: string;
  readonly keywords: readonly string[];
}

/** An item of the organization, or the organization itself. */
export interface Activity {
  /** The identifier of its item, unique in the course. */
  readonly id: string;
  readonly title: string;
  /** Whether the table of contents shows it. */
  readonly visible: boolean;
  /** The resource that it launches; null if it only groups other items. */
  readonly resource: Resource | null;
  readonly launchData: string;
  /** 0 to 100 (SCORM 1.2). */
  readonly masteryScore: number | null;
  /** -1 to 1: the minimum measure of the primary objective (SCORM 2004). */
  readonly scaledPassingScore: number | null;
  /** 0 to 1: the minimum progress measure (SCORM 2004). */
  readonly completionThreshold: number | null;
  /** In the format of the standard; empty for no limit. */
  readonly maxTimeAllowed: string;
  readonly timeLimitAction: string;
  /**
   * The objectives with which the run-time data of its content start, the primary one first
   * (SCORM 2004). Absent in packages that were imported before objectives were read.
   */
  readonly objectives?: readonly Objective[];
  readonly children: readonly Activity[];
}

/** A learning objective of an activity (SCORM 2004 SN 3.10). */
export interface Objective {
  /** Unique in its activity. */
  readonly id: string;
  /** Its status is that of the content: `cmi.success_status` and `cmi.score.scaled`. */
  readonly isPrimary: boolean;
  /** -1 to 1: the scaled score that satisfies it; null if the content decides. */
  readonly minimumMeasure: number | null;
  readonly maps: readonly ObjectiveMap[];
}

/** Elements of `cmi.objectives.n` that activities share through global objectives. */
export type ObjectiveElement =
  | 'success_status'
  | 'completion_status'
  | 'progress_measure'
  | `score.${'scaled' | 'raw' | 'min' | 'max'}`;

/** Connects an objective with a global objective, which other activities can read and write. */
export interface ObjectiveMap {
  /** The id of the global objective. */
  readonly target: string;
  readonly reads: readonly ObjectiveElement[];
  readonly writes: readonly ObjectiveElement[];
}

export interface Resource {
  readonly id: string;
  /** A URL relative to the package's root, with query parameters. */
  readonly href: string;
  /** A SCO communicates with the player; an asset is only displayed. */
  readonly type: 'SCO' | 'ASSET';
}

/** Whether a resource's `scormType`, which SCORM 1.2 writes `scormtype`, is that of a SCO. */
export const isSco = (scormType: string | undefined): boolean => scormType?.toLowerCase() === 'sco';

export type LaunchableActivity = Activity & { readonly resource: Resource };

/** The launchable activities, in the order of the table of contents. */
export function launchablesOf(activity: Activity): LaunchableActivity[] {
  const own = isLaunchable(activity) ? [activity] : [];
  return [...own, ...activity.children.flatMap(launchablesOf)];
}

const isLaunchable = (activity: Activity): activity is LaunchableActivity =>
  activity.resource !== null;
