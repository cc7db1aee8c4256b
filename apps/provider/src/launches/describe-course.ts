import { Injectable } from '@nestjs/common';
import { launchablesOf } from '../packages/course-structure.ts';
import { outlineOf, startingActivity } from './course-outline.ts';
import type { LaunchSession } from './launch-sessions.ts';
import { RollUpRegistration, toStandings } from './roll-up-registration.ts';

/** The data that the player needs before it opens an activity. */
export type CourseDescription = Awaited<ReturnType<DescribeCourse['describe']>>;

/** Describes the course of a session, and the learner's status in it. */
@Injectable()
export class DescribeCourse {
  constructor(private readonly registration: RollUpRegistration) {}

  async describe(session: LaunchSession) {
    const { structure, courseTitle, tracking, redirectUrl, registration, contentKey } = session;
    const visited = await this.registration.states(session);
    return {
      title: courseTitle,
      /** Where the files of the package are, relative to the page: the same for all launches of a registration. */
      content: `../../content/${registration}/${contentKey}/`,
      standard: structure.standard,
      /** False in a review. */
      tracking,
      outline: outlineOf(structure),
      /** The ids of all launchable activities, in order, including those that the outline hides. */
      activities: launchablesOf(structure.root).map(({ id }) => id),
      /** The activity to open first; null if there is none. */
      start: startingActivity(structure, visited),
      standings: toStandings(visited),
      /** Where the learner goes after the course; null for a page of the player. */
      redirectUrl,
    };
  }
}
