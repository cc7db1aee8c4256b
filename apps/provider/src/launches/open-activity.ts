import { Database, sql } from '@registrar/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { launchablesOf } from '../packages/course-structure.ts';
import { emptyResult, mergeResult, type Result } from '../results/result.ts';
import { hasRuntime, type RuntimeData } from '../results/runtime.ts';
import { beginAttempt, type StoredAttempt } from './attempt.ts';
import { initialRuntime } from './initial-runtime.ts';
import { type LaunchSession, LaunchSessions } from './launch-sessions.ts';
import { RollUpRegistration } from './roll-up-registration.ts';
import { SharedObjectives } from './shared-objectives.ts';

/** The data that the player needs to run an activity. */
export interface OpenedActivity {
  /** Relative to the package's root. */
  readonly href: string;
  /** Whether the content communicates with the player: a SCO, or an asset that has done so before. */
  readonly usesApi: boolean;
  /** The initial data model. */
  readonly runtime: RuntimeData;
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
    private readonly sessions: LaunchSessions,
    private readonly sharedObjectives: SharedObjectives,
  ) {}

  /** @throws {NotFoundException} if the course has no such launchable activity */
  async open(session: LaunchSession, activityId: string): Promise<OpenedActivity> {
    const { standard, root } = session.structure;
    const activity = launchablesOf(root).find(({ id }) => id === activityId);
    if (!activity) throw new NotFoundException('The course has no such part.');
    const { href, type } = activity.resource;
    return this.database.transaction(async () => {
      if (session.tracking) await this.registration.lock(session);
      await this.sessions.setClosing(session, false);
      const state = await this.registration.findState(session, activityId);
      const usesApi = type === 'SCO' || hasRuntime(state?.runtime ?? {});
      const seconds = state?.seconds ?? 0;
      const globalObjectives = await this.sharedObjectives.read(session, activity);
      const context = { ...session, globalObjectives };
      if (!session.tracking) {
        const resumed = { entry: 'resume', runtime: state?.runtime ?? {} } as const;
        const runtime = initialRuntime(standard, activity, resumed, context);
        return { href, usesApi, runtime, seconds, sitting: 0 };
      }
      const start = beginAttempt(standard, state ?? undefined);
      // An asset that does not report is completed by being opened.
      const opened = { ...emptyResult, completion: usesApi ? 'INCOMPLETE' : 'COMPLETED' } as const;
      const { completion } = mergeResult(state ?? emptyResult, opened);
      const { attempts, runtime } = start;
      const stored = { attempts, runtime, completion, suspended: usesApi };
      const sitting = await this.store(session, activityId, stored);
      await this.registration.rollUp(session, { isLeaving: false });
      const initial = initialRuntime(standard, activity, start, context);
      return { href, usesApi, runtime: initial, seconds, sitting };
    });
  }

  /** @returns the number of this opening */
  private async store(
    session: LaunchSession,
    activityId: string,
    { attempts, runtime, suspended, completion }: StoredAttempt & Pick<Result, 'completion'>,
  ): Promise<number> {
    const { sittings } = await this.database.one(
      sittingsRow,
      sql`INSERT INTO sco_states AS s
            (registration, activity_id, attempts, runtime, suspended, completion)
          VALUES (${session.registration}, ${activityId}, ${attempts}, ${runtime}, ${suspended},
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
