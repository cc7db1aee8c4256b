import { Database } from '#libs/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import { launchablesOf } from '../packages/course-structure.ts';
import { mergeResult, noResult, type Result } from '../results/result.ts';
import type { RuntimeData } from '../results/runtime.ts';
import { beginAttempt, type StoredAttempt } from './attempt.ts';
import { initialRuntime } from './initial-runtime.ts';
import type { LaunchSession } from './launch-session.ts';
import { UpdateRegistration } from './update-registration.ts';

/** What the player needs to run an activity. */
export interface OpenedActivity {
  /** Relative to the package's root. */
  readonly href: string;
  /** Whether the content talks to the player. */
  readonly isSco: boolean;
  /** The data model to begin with. */
  readonly runtime: RuntimeData;
  /** Seconds that were tracked in it before. */
  readonly seconds: number;
  /** Names this opening in the reports that follow; 0 in a review. */
  readonly sitting: number;
}

type StoredState = StoredAttempt & Result & { readonly seconds: number };

/** Begins or resumes an activity of a course that is open. A review changes nothing. */
@Injectable()
export class OpenActivity {
  constructor(
    private readonly database: Database,
    private readonly updateRegistration: UpdateRegistration,
  ) {}

  async run(session: LaunchSession, activityId: string): Promise<OpenedActivity> {
    const { standard, root } = session.structure;
    const activity = launchablesOf(root).find(({ id }) => id === activityId);
    if (!activity) throw new NotFoundException('The course has no such part.');
    const { href, type } = activity.resource;
    const isSco = type === 'SCO';
    return this.database.transaction(async () => {
      if (session.tracking) await this.updateRegistration.lock(session);
      const state = await this.find(session, activityId);
      const seconds = state?.seconds ?? 0;
      if (!session.tracking) {
        const stored = { entry: 'resume', runtime: state?.runtime ?? {} } as const;
        const runtime = initialRuntime(standard, activity, stored, session);
        return { href, isSco, runtime, seconds, sitting: 0 };
      }
      const beginning = beginAttempt(standard, state);
      // An asset cannot report anything: to have opened it is all there is to do.
      const opened = { ...noResult, completion: isSco ? 'INCOMPLETE' : 'COMPLETED' } as const;
      const { completion } = mergeResult(state ?? noResult, opened);
      const { attempts, runtime } = beginning;
      const sitting = await this.store(session, activityId, {
        ...{ attempts, runtime, completion },
        suspended: isSco,
      });
      await this.updateRegistration.run(session);
      const initial = initialRuntime(standard, activity, beginning, session);
      return { href, isSco, runtime: initial, seconds, sitting };
    });
  }

  private async find(session: LaunchSession, activityId: string): Promise<StoredState | undefined> {
    const [state] = await this.database.query<StoredState>(
      `SELECT attempts, suspended, runtime, seconds, completion, success, score, progress
       FROM sco_states WHERE registration = $1 AND activity_id = $2`,
      [session.registration, activityId],
    );
    return state;
  }

  /** @returns the number of this opening */
  private async store(
    session: LaunchSession,
    activityId: string,
    { attempts, runtime, suspended, completion }: StoredAttempt & Pick<Result, 'completion'>,
  ): Promise<number> {
    const [stored] = await this.database.query<{ sittings: number }>(
      `INSERT INTO sco_states AS s (registration, activity_id, attempts, runtime, suspended, completion)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (registration, activity_id) DO UPDATE SET
         attempts = excluded.attempts,
         runtime = excluded.runtime,
         suspended = excluded.suspended,
         completion = excluded.completion,
         sittings = s.sittings + 1,
         opened_at = clock_timestamp()
       RETURNING s.sittings`,
      [session.registration, activityId, attempts, runtime, suspended, completion],
    );
    if (!stored) throw new Error('INSERT … RETURNING answered no row');
    return stored.sittings;
  }
}
