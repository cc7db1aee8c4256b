import { Injectable } from '@nestjs/common';
import { type Activity, type HiddenControl, launchablesOf } from '../packages/course-structure.ts';
import { outlineOf } from './course-outline.ts';
import type { LaunchSession } from './launch-sessions.ts';
import { RollUpRegistration } from './roll-up-registration.ts';

/** The data that the player needs before it opens an activity. */
export type CourseDescription = Awaited<ReturnType<DescribeCourse['describe']>>;

/** Describes the course of a session, and the learner's status in it. */
@Injectable()
export class DescribeCourse {
  constructor(private readonly registration: RollUpRegistration) {}

  async describe(session: LaunchSession) {
    const { structure, courseTitle, tracking, redirectUrl, settings, cssUrl } = session;
    const isSequenced = structure.sequencing !== undefined && tracking;
    return {
      title: courseTitle,
      /** Where the files of the package are, relative to the page: the same for all launches of a registration. */
      content: contentPath(session),
      standard: structure.standard,
      /** False in a review. */
      tracking,
      /** Whether the manifest decides what learners can open. */
      isSequenced,
      outline: outlineOf(structure, isSequenced),
      /** Whether the outline is shown. */
      showsContents: settings.showsContents,
      launch: settings.launch,
      /** How learners leave a course whose manifest decides what they can open. */
      returnAction: settings.returnAction,
      reportIntervalMs: settings.reportIntervalMs,
      /** The number of launchable activities, including those that the outline hides. */
      partCount: launchablesOf(structure.root).length,
      /** The navigation devices that the player hides while an activity is open, by its id. */
      hiddenControls: Object.fromEntries(hiddenControlsOf(structure.root)),
      standings: await this.registration.standings(session, null),
      /** Where the learner goes after the course; null for a page of the player. */
      redirectUrl,
      /** A style sheet for the page. */
      cssUrl,
    };
  }
}

const hiddenControlsOf = ({
  id,
  hiddenControls,
  children,
}: Activity): (readonly [string, readonly HiddenControl[]])[] => [
  ...(hiddenControls ? [[id, hiddenControls] as const] : []),
  ...children.flatMap(hiddenControlsOf),
];

const contentPath = ({ id, registration, contentKey }: LaunchSession): string =>
  `../../content/${registration === 0 ? `preview-${id}` : registration}/${contentKey}/`;
