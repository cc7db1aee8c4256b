import { Database, sql } from '@registrar/persistence';
import { ConflictException, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { PendingPostbacks } from '../postbacks/pending-postbacks.ts';
import { type ScoStateRow, scoStateRow } from '../registrations/registration-row.ts';
import { mergeResult, type Result } from '../results/result.ts';
import { rollUpActivity } from '../results/rollup.ts';
import { runtimeTree } from '../results/runtime.ts';
import { clusterResults } from '../sequencing/sequenced-results.ts';
import type { Session } from '../sequencing/sequencing-state.ts';
import type { LaunchSession } from './launch-sessions.ts';

/** The learner's status in the activities of a course, by activity id. */
export type Standings = Readonly<Record<string, Pick<Result, 'completion' | 'success'>>>;

const resultRow = scoStateRow.pick({
  completion: true,
  success: true,
  score: true,
  progress: true,
});

const listedState = scoStateRow.omit({ attempts: true, runtime: true });

/** The stored state of an activity, with its run-time data. */
const activityState = scoStateRow.omit({ activity_id: true, opened_at: true }).extend({
  runtime: runtimeTree,
  sitting: z.number(),
  sequence: z.number(),
  /** The number of the report that each branch of the data model was stored from. */
  branch_sequences: z.record(z.string(), z.number()),
});
export type ActivityState = z.output<typeof activityState>;

const clustersOf = (
  { structure }: LaunchSession,
  sequencing: Session | null,
): ReadonlyMap<string, Result> =>
  sequencing ? clusterResults(structure, sequencing.state) : new Map();

const toStandings = (
  states: readonly Pick<ScoStateRow, 'activity_id' | 'completion' | 'success'>[],
  clusters: ReadonlyMap<string, Result>,
): Standings =>
  Object.fromEntries(
    [...states.map(({ activity_id: id, ...result }) => [id, result] as const), ...clusters].map(
      ([id, { completion, success }]) => [id, { completion, success }],
    ),
  );

/** Updates the result of a registration from the states of its activities. */
@Injectable()
export class RollUpRegistration {
  constructor(
    private readonly database: Database,
    private readonly postbacks: PendingPostbacks,
  ) {}

  /**
   * Locks the registration until the transaction ends, so that its reports are stored in turn.
   *
   * @throws {ConflictException} if the session has ended
   */
  async lock({ registration, id }: LaunchSession): Promise<void> {
    const open = await this.database.execute(
      sql`SELECT FROM registrations AS r JOIN launches AS l ON l.registration = r.id
          WHERE r.id = ${registration} AND l.id = ${id} AND l.expires_at > now() FOR UPDATE`,
    );
    if (open === 0) throw new ConflictException('This course window has ended.');
  }

  /**
   * Must run in the transaction of {@link lock}.
   *
   * @param sequencing the sequencing session of the course; null if it has none
   * @param isLeaving whether the learner closes the window: then the result is posted at once, as after an exit
   * @returns the result of the course and the standings after the update
   */
  async rollUp(
    session: LaunchSession,
    sequencing: Session | null,
    { isLeaving }: { readonly isLeaving: boolean },
  ): Promise<{ readonly result: Result; readonly standings: Standings }> {
    const states = await this.states(session);
    const { root } = session.structure;
    const scos = rollUpActivity(
      root,
      new Map(states.map((state) => [state.activity_id, state])),
      session.settings.rollup,
    );
    const clusters = clustersOf(session, sequencing);
    const course = clusters.get(root.id);
    const result = course ? await this.sequencedResult(session, course, scos) : scos;
    const { completion, success, score, progress } = result;
    const seconds = states.reduce((sum, state) => sum + state.seconds, 0);
    await this.database.execute(
      sql`UPDATE registrations SET
            completion = ${completion}, success = ${success}, score = ${score},
            progress = ${progress}, total_seconds = ${seconds},
            first_access_at = coalesce(first_access_at, clock_timestamp()),
            last_access_at = clock_timestamp(),
            completed_at = CASE WHEN ${completion} = 'COMPLETED'
                             THEN coalesce(completed_at, clock_timestamp()) END,
            updated_at = clock_timestamp()
          WHERE id = ${session.registration}`,
    );
    await this.database.execute(
      sql`UPDATE launches
          SET completion = ${completion}, success = ${success}, score = ${score}
          WHERE id = ${session.id}`,
    );
    if (isLeaving) await this.postbacks.addNow(session.registration);
    else await this.postbacks.addInCourse(session.registration);
    return { result, standings: toStandings(states, clusters) };
  }

  /** A new attempt on a course does not revoke the result of an earlier one. */
  private async sequencedResult(
    { registration }: LaunchSession,
    course: Result,
    scos: Result,
  ): Promise<Result> {
    const before = await this.database.one(
      resultRow,
      sql`SELECT completion, success, score, progress FROM registrations WHERE id = ${registration}`,
    );
    return mergeResult(before, { ...course, progress: course.progress ?? scos.progress });
  }

  /** Returns the learner's status in the activities of a course. */
  async standings(session: LaunchSession, sequencing: Session | null): Promise<Standings> {
    return toStandings(await this.states(session), clustersOf(session, sequencing));
  }

  /** Returns the states of the activities that were opened. */
  states({ registration }: LaunchSession): Promise<z.output<typeof listedState>[]> {
    return this.database.many(
      listedState,
      sql`SELECT activity_id, completion, success, score, progress, seconds, suspended, opened_at
          FROM sco_states WHERE registration = ${registration}`,
    );
  }

  /** Returns the state of an activity; null if it was not opened. */
  findState({ registration }: LaunchSession, activityId: string): Promise<ActivityState | null> {
    return this.database.maybeOne(
      activityState,
      sql`SELECT attempts, suspended, completion, success, score, progress, seconds, runtime,
                 sitting, sequence, branch_sequences
          FROM sco_states WHERE registration = ${registration} AND activity_id = ${activityId}`,
    );
  }
}
