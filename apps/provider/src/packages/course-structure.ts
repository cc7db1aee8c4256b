/** As the API names the standards (`courseLearningStandard`). */
export type LearningStandard =
  'SCORM12' | 'SCORM20042NDEDITION' | 'SCORM20043RDEDITION' | 'SCORM20044THEDITION';

/** What a package's manifest says, as far as a player and the API need it. */
export interface CourseStructure {
  readonly standard: LearningStandard;
  /** The default organization: the course as a tree. */
  readonly root: Activity;
  readonly metadata: CourseMetadata;
}

/** From the manifest's learning object metadata; what is absent is empty. */
export interface CourseMetadata {
  readonly title: string;
  readonly description: string;
  /** As the manifest writes durations. */
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
  /** What it launches; null when it only holds others. */
  readonly resource: Resource | null;
  readonly launchData: string;
  /** 0 to 100, SCORM 1.2. */
  readonly masteryScore: number | null;
  /** -1 to 1, SCORM 2004. */
  readonly scaledPassingScore: number | null;
  /** 0 to 1, SCORM 2004. */
  readonly completionThreshold: number | null;
  /** As the standard writes times; empty for no limit. */
  readonly maxTimeAllowed: string;
  readonly timeLimitAction: string;
  readonly children: readonly Activity[];
}

export interface Resource {
  readonly id: string;
  /** An address relative to the package's root, with parameters, ready for a browser. */
  readonly href: string;
  /** A SCO talks to the player; an asset is only shown. */
  readonly type: 'SCO' | 'ASSET';
}

export type LaunchableActivity = Activity & { readonly resource: Resource };

/** All that can be launched, in the order of the table of contents. */
export function launchablesOf(activity: Activity): LaunchableActivity[] {
  const own = isLaunchable(activity) ? [activity] : [];
  return [...own, ...activity.children.flatMap(launchablesOf)];
}

const isLaunchable = (activity: Activity): activity is LaunchableActivity =>
  activity.resource !== null;
