import type { SequencingDefinition } from './sequencing-definition.ts';

/** The standards, by their names in the API (`courseLearningStandard`). */
export const learningStandards = [
  'SCORM12',
  'SCORM20042NDEDITION',
  'SCORM20043RDEDITION',
  'SCORM20044THEDITION',
  // Media files, which follow no standard.
  'UNKNOWN',
] as const;
export type LearningStandard = (typeof learningStandards)[number];

/** The parts of a package's manifest that the player and the API use. */
export interface CourseStructure {
  readonly standard: LearningStandard;
  /** The default organization: the course as a tree. */
  readonly root: Activity;
  readonly metadata: CourseMetadata;
  /**
   * How the course is sequenced (SCORM 2004). Absent if its manifest has no sequencing, and in packages
   * that were imported before it was read: then learners open every part.
   */
  readonly sequencing?: CourseSequencing;
}

/** The scope of what activities share: the learner, or an attempt on the course. */
export interface CourseSequencing {
  /** SCORM 2004 SN 3.10.2. */
  readonly objectivesGlobalToSystem: boolean;
  /** SCORM 2004 CAM 3.4.1.1. */
  readonly sharedDataGlobalToSystem: boolean;
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
  /** Absent if the manifest says nothing about it (SCORM 2004). */
  readonly sequencing?: SequencingDefinition;
  /** The navigation devices of the player that its content replaces (SCORM 2004 CAM 3.4.1.15). */
  readonly hiddenControls?: readonly HiddenControl[];
  /** The shared data that its content can use (SCORM 2004 CAM 3.4.1.14). */
  readonly sharedData?: readonly SharedDataMap[];
  /** The expression that must be true before learners open it (SCORM 1.2 CAM 2.3.5). */
  readonly prerequisites?: string;
  readonly children: readonly Activity[];
}

/** Returns an activity of which the manifest says no more than these parts. */
export const bareActivity = (
  parts: Partial<Activity> & Pick<Activity, 'id' | 'title'>,
): Activity => ({
  visible: true,
  resource: null,
  launchData: '',
  masteryScore: null,
  scaledPassingScore: null,
  completionThreshold: null,
  maxTimeAllowed: '',
  timeLimitAction: '',
  children: [],
  ...parts,
});

export const hiddenControls = [
  'previous',
  'continue',
  'exit',
  'exitAll',
  'abandon',
  'abandonAll',
  'suspendAll',
] as const;
export type HiddenControl = (typeof hiddenControls)[number];

/** An entry of `adl.data`. */
export interface SharedDataMap {
  /** The id of the data, which activities share. */
  readonly target: string;
  readonly read: boolean;
  readonly write: boolean;
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
