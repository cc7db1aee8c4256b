import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { launchablesOf, type LearningStandard } from '../packages/course-structure.ts';
import type { Success } from '../results/result.ts';
import {
  type OutlineItem,
  outlineOf,
  startingActivity,
  type VisitedActivity,
} from './course-outline.ts';
import type { LaunchSession } from './launch-session.ts';
import type { Standings } from './update-registration.ts';

/** What the player shows of a course before anything in it is opened. */
export interface CourseDescription {
  readonly title: string;
  readonly standard: LearningStandard;
  /** False in a review. */
  readonly tracking: boolean;
  readonly outline: readonly OutlineItem[];
  /** The ids of all that can be opened, in their order, with what the outline hides. */
  readonly activities: readonly string[];
  /** Where to begin; null when there is nothing to open. */
  readonly start: string | null;
  readonly standings: Standings;
}

/** Describes a course that is open, and where its learner stands. */
@Injectable()
export class DescribeCourse {
  constructor(private readonly database: Database) {}

  async run({
    registration,
    structure,
    courseTitle,
    tracking,
  }: LaunchSession): Promise<CourseDescription> {
    const visited = await this.database.query<VisitedActivity & { success: Success }>(
      `SELECT activity_id, completion, success, suspended, opened_at
       FROM sco_states WHERE registration = $1`,
      [registration],
    );
    return {
      title: courseTitle,
      standard: structure.standard,
      tracking,
      outline: outlineOf(structure),
      activities: launchablesOf(structure.root).map(({ id }) => id),
      start: startingActivity(structure, visited),
      standings: Object.fromEntries(
        visited.map(({ activity_id: id, completion, success }) => [id, { completion, success }]),
      ),
    };
  }
}
