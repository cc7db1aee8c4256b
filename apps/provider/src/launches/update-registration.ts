import { Database } from '#libs/persistence';
import { ConflictException, Injectable } from '@nestjs/common';
import { launchablesOf } from '../packages/course-structure.ts';
import { noResult, type Result } from '../results/result.ts';
import { rollUp } from '../results/rollup.ts';
import type { LaunchSession } from './launch-session.ts';

/** Where the learner stands in the activities of a course, by the activities' ids. */
export type Standings = Readonly<Record<string, Pick<Result, 'completion' | 'success'>>>;

type ActivityResult = Result & { readonly activity_id: string; readonly seconds: number };

/** Brings a registration's own result up to date with the states of its activities. */
@Injectable()
export class UpdateRegistration {
  constructor(private readonly database: Database) {}

  /** Holds the registration until the transaction ends: its activities report in turn. */
  async lock({ registration, id }: LaunchSession): Promise<void> {
    const alive = await this.database.query(
      `SELECT r.id FROM registrations r JOIN launches l ON l.registration = r.id
       WHERE r.id = $1 AND l.id = $2 AND l.expires_at > now() FOR UPDATE`,
      [registration, id],
    );
    if (alive.length === 0) throw new ConflictException('This course window has ended.');
  }

  async run(session: LaunchSession): Promise<void> {
    const states = await this.states(session);
    const met = new Map(states.map((state) => [state.activity_id, state]));
    const { completion, success, score, progress } = rollUp(
      launchablesOf(session.structure.root).map(({ id }) => met.get(id) ?? noResult),
    );
    const seconds = states.reduce((sum, state) => sum + state.seconds, 0);
    const values = [session.registration, completion, success, score, progress, seconds];
    await this.database.query(
      `UPDATE registrations SET
         completion = $2, success = $3, score = $4, progress = $5, total_seconds = $6,
         first_access_at = coalesce(first_access_at, clock_timestamp()),
         last_access_at = clock_timestamp(),
         completed_at = CASE WHEN $2 = 'COMPLETED' THEN coalesce(completed_at, clock_timestamp()) END,
         updated_at = clock_timestamp()
       WHERE id = $1`,
      values,
    );
    await this.database.query(
      'UPDATE launches SET completion = $2, success = $3, score = $4 WHERE id = $1',
      [session.id, completion, success, score],
    );
  }

  async standings(session: LaunchSession): Promise<Standings> {
    const states = await this.states(session);
    return Object.fromEntries(
      states.map(({ activity_id: id, completion, success }) => [id, { completion, success }]),
    );
  }

  private states({ registration }: LaunchSession): Promise<ActivityResult[]> {
    return this.database.query<ActivityResult>(
      `SELECT activity_id, completion, success, score, progress, seconds
       FROM sco_states WHERE registration = $1`,
      [registration],
    );
  }
}
