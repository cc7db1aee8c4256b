import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { launchablesOf, type LearningStandard } from '../packages/course-structure.ts';
import { scoStateRow } from '../registrations/registration-row.ts';
import { type OutlineItem, outlineOf, startingActivity } from './course-outline.ts';
import type { LaunchSession } from './launch-sessions.ts';
import { type Standings, toStandings } from './roll-up-registration.ts';

/** The data that the player needs before it opens an activity. */
export interface CourseDescription {
  readonly title: string;
  readonly standard: LearningStandard;
  /** False in a review. */
  readonly tracking: boolean;
  readonly outline: readonly OutlineItem[];
  /** The ids of all launchable activities, in order, including those that the outline hides. */
  readonly activities: readonly string[];
  /** The activity to open first; null if there is none. */
  readonly start: string | null;
  readonly standings: Standings;
  /** Where the learner goes after the course; null for a page of the player. */
  readonly redirectUrl: string | null;
}

const visitedRow = scoStateRow.pick({
  activity_id: true,
  completion: true,
  success: true,
  suspended: true,
  opened_at: true,
});

/** Describes the course of a session, and the learner's status in it. */
@Injectable()
export class DescribeCourse {
  constructor(private readonly database: Database) {}

  async describe({
    registration,
    structure,
    courseTitle,
    tracking,
    redirectUrl,
  }: LaunchSession): Promise<CourseDescription> {
    const visited = await this.database.many(
      visitedRow,
      sql`SELECT activity_id, completion, success, suspended, opened_at
          FROM sco_states WHERE registration = ${registration}`,
    );
    return {
      title: courseTitle,
      standard: structure.standard,
      tracking,
      outline: outlineOf(structure),
      activities: launchablesOf(structure.root).map(({ id }) => id),
      start: startingActivity(structure, visited),
      standings: toStandings(visited),
      redirectUrl,
    };
  }
}
