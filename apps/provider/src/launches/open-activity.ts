import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { launchablesOf } from '../packages/course-structure.ts';
import { emptyResult, mergeResult, type Result } from '../results/result.ts';
import { hasRuntime, type RuntimeData } from '../results/runtime.ts';
import { beginAttempt, type StoredAttempt } from './attempt.ts';
import type { StoredSession } from './course-sequencing.ts';
import { initialRuntime, withoutExit } from './initial-runtime.ts';
import type { LaunchSession } from './launch-sessions.ts';
import { RegistrationValues } from './registration-values.ts';
import { RollUpRegistration } from './roll-up-registration.ts';
import { type SharedEntry, sharedEntries } from './shared-entries.ts';

/** The data that the player needs to run an activity. */
export interface OpenedActivity {
  readonly id: string;
  /** Relative to the package's root. */
  readonly href: string;
  /** Whether the content communicates with the player: a SCO, or an asset that has done so before. */
  readonly usesApi: boolean;
  /** The initial data model. */
  readonly runtime: RuntimeData;
  /** The entries of `adl.data`. */
  readonly sharedData: readonly SharedEntry[];
  /** Seconds that were tracked in it before. */
  readonly seconds: number;
  /** The number of this opening, for the reports that follow; 0 in a review. */
  readonly sitting: number;
}

const sittingsRow = z.object({ sittings: z.number() });

/** Starts or resumes an activity of an open course. A review stores nothing. */
@Injectable()
export class OpenActivity {
  constructor(
    private readonly database: Database,
    private readonly registration: RollUpRegistration,
    private readonly values: RegistrationValues,
  ) {}

  /**
   * Must run in the transaction that locks the registration.
   *
   * @param session the sequencing session; null if the course has none
   */
  async open(
    launch: LaunchSession,
    { activityId, resumes }: { readonly activityId: string; readonly resumes: boolean },
    session: StoredSession | null,
  ): Promise<OpenedActivity> {
    const { standard, root } = launch.structure;
    const activity = launchablesOf(root).find(({ id }) => id === activityId);
    if (!activity) throw new Error(`the course has no part ${activityId}`);
    const { id, resource } = activity;
    const { href, type } = resource;
    const state = await this.registration.findState(launch, id);
    const { objectives: globalObjectives, data } = session
      ? { objectives: session.state.globals, data: session.sharedData }
      : await this.values.read(launch, activity);
    const usesApi = type === 'SCO' || hasRuntime(state?.runtime ?? {});
    const opened = {
      id,
      href,
      usesApi,
      sharedData: sharedEntries(activity, data),
      seconds: state?.seconds ?? 0,
    };
    const context = { ...launch, globalObjectives };
    if (!launch.tracking) {
      const resumed = { entry: 'resume', runtime: state?.runtime ?? {} } as const;
      return {
        ...opened,
        runtime: initialRuntime(standard, activity, resumed, context),
        sitting: 0,
      };
    }
    const start = beginAttempt(standard, state ? { ...state, suspended: resumes } : undefined);
    // An asset that does not report is completed by being opened.
    const visited = { ...emptyResult, completion: usesApi ? 'INCOMPLETE' : 'COMPLETED' } as const;
    const { completion } = mergeResult(state ?? emptyResult, visited);
    const { attempts, runtime } = start;
    const stored = { attempts, runtime: withoutExit(runtime), completion, suspended: usesApi };
    const sitting = await this.store(launch, id, stored);
    return { ...opened, runtime: initialRuntime(standard, activity, start, context), sitting };
  }

  /** @returns the number of this opening */
  private async store(
    launch: LaunchSession,
    activityId: string,
    { attempts, runtime, suspended, completion }: StoredAttempt & Pick<Result, 'completion'>,
  ): Promise<number> {
    const { sittings } = await this.database.one(
      sittingsRow,
      sql`INSERT INTO sco_states AS s
            (registration, activity_id, attempts, runtime, suspended, completion)
          VALUES (${launch.registration}, ${activityId}, ${attempts}, ${runtime}, ${suspended},
                  ${completion})
          ON CONFLICT (registration, activity_id) DO UPDATE SET
            attempts = excluded.attempts,
            runtime = excluded.runtime,
            suspended = excluded.suspended,
            completion = excluded.completion,
            sittings = s.sittings + 1,
            opened_at = clock_timestamp()
          RETURNING s.sittings`,
    );
    return sittings;
  }
}
