import * as z from 'zod';

/** The standards, by their names in the API (`courseLearningStandard`). */
export const learningStandard = z.enum([
  'SCORM12',
  'SCORM20042NDEDITION',
  'SCORM20043RDEDITION',
  'SCORM20044THEDITION',
]);
export type LearningStandard = z.output<typeof learningStandard>;

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
  /** -1 to 1 (SCORM 2004). */
  readonly scaledPassingScore: number | null;
  /** 0 to 1 (SCORM 2004). */
  readonly completionThreshold: number | null;
  /** In the format of the standard; empty for no limit. */
  readonly maxTimeAllowed: string;
  readonly timeLimitAction: string;
  readonly children: readonly Activity[];
}

export interface Resource {
  readonly id: string;
  /** A URL relative to the package's root, with query parameters. */
  readonly href: string;
  /** A SCO communicates with the player; an asset is only displayed. */
  readonly type: 'SCO' | 'ASSET';
}

export type LaunchableActivity = Activity & { readonly resource: Resource };

/** The launchable activities, in the order of the table of contents. */
export function launchablesOf(activity: Activity): LaunchableActivity[] {
  const own = isLaunchable(activity) ? [activity] : [];
  return [...own, ...activity.children.flatMap(launchablesOf)];
}

const isLaunchable = (activity: Activity): activity is LaunchableActivity =>
  activity.resource !== null;
