import { Database } from '#libs/persistence';
import {
  ConflictException,
  Injectable,
  NotFoundException,
  PayloadTooLargeException,
} from '@nestjs/common';
import * as z from 'zod';
import { launchablesOf } from '../packages/course-structure.ts';
import { mergeResult, type Result } from '../results/result.ts';
import { readRuntime } from '../results/read-runtime.ts';
import { type RuntimeData, runtimeData } from '../results/runtime.ts';
import { scoResult } from '../results/sco-result.ts';
import type { LaunchSession } from './launch-session.ts';
import { isNewer, type ReportPlace } from './report-order.ts';
import { type Standings, UpdateRegistration } from './update-registration.ts';

/** What the player reports of a SCO while it runs. */
export const activityReport = z.object({
  activityId: z.string().max(4096),
  /** As it was told when the activity was opened. */
  sitting: z.int().min(1).max(2_147_483_647),
  /** Counts the reports of the sitting, from 1. */
  sequence: z.int().min(1).max(2_147_483_647),
  /** Seconds tracked in the activity, with those of earlier sessions. */
  seconds: z.number().min(0).max(1e9),
  /** Of the data model, what has changed since the report before: whole branches under `cmi`. */
  runtime: runtimeData,
  /** The content has ended its session (`Terminate`, `LMSFinish`). */
  ended: z.boolean(),
  /** The window is being closed. */
  closing: z.boolean(),
});
export type ActivityReport = z.output<typeof activityReport>;

/**
 * Characters, as JSON, of the data that are kept of a SCO: reports add up, and full results tell
 * all of it, for a hundred registrations at once.
 */
const longestRuntime = 2 * 1024 * 1024;

type StoredState = Result &
  ReportPlace & { readonly runtime: RuntimeData; readonly seconds: number };

/** Takes in what a SCO reports, and what follows from it for the registration. */
@Injectable()
export class ReportActivity {
  constructor(
    private readonly database: Database,
    private readonly updateRegistration: UpdateRegistration,
  ) {}

  /**
   * @throws {ConflictException} when the course was opened in another window, or the window ended
   * @throws {PayloadTooLargeException} when the content wants more kept than a SCO may have
   */
  async run(session: LaunchSession, report: ActivityReport): Promise<Standings> {
    const { activityId } = report;
    const activity = launchablesOf(session.structure.root).find(({ id }) => id === activityId);
    if (!activity || !session.tracking) throw new NotFoundException('Nothing is tracked here.');
    return this.database.transaction(async () => {
      await this.updateRegistration.lock(session);
      const state = await this.find(session, activityId);
      if (!isNewer(report, state)) {
        if (report.sitting === state.sitting) return this.updateRegistration.standings(session);
        throw new ConflictException('The course is open in a newer window.');
      }
      const runtime = { ...state.runtime, ...report.runtime };
      if (JSON.stringify(runtime).length > longestRuntime) {
        throw new PayloadTooLargeException('The content wants more kept than can be.');
      }
      const read = readRuntime(session.structure.standard, runtime);
      const ended = report.ended && read.exit !== 'suspend';
      const result = mergeResult(state, scoResult(read, activity, ended));
      const seconds = Math.max(state.seconds, report.seconds);
      await this.store(session, report, { ...result, runtime, seconds, suspended: !ended });
      await this.noteLaunch(session, report, seconds - state.seconds);
      await this.updateRegistration.run(session);
      return this.updateRegistration.standings(session);
    });
  }

  private async find(session: LaunchSession, activityId: string): Promise<StoredState> {
    const [state] = await this.database.query<StoredState>(
      `SELECT completion, success, score, progress, runtime, seconds, sitting, sequence
       FROM sco_states WHERE registration = $1 AND activity_id = $2`,
      [session.registration, activityId],
    );
    if (!state) throw new NotFoundException('This part of the course was not opened.');
    return state;
  }

  private async store(
    session: LaunchSession,
    { activityId, sitting, sequence }: ActivityReport,
    state: Result & { runtime: RuntimeData; seconds: number; suspended: boolean },
  ): Promise<void> {
    await this.database.query(
      `UPDATE sco_states SET completion = $3, success = $4, score = $5, progress = $6,
         runtime = $7, seconds = $8, suspended = $9, sitting = $10, sequence = $11
       WHERE registration = $1 AND activity_id = $2`,
      [
        ...[session.registration, activityId],
        ...[state.completion, state.success, state.score, state.progress],
        ...[state.runtime, state.seconds, state.suspended, sitting, sequence],
      ],
    );
  }

  private async noteLaunch(
    session: LaunchSession,
    { closing }: ActivityReport,
    seconds: number,
  ): Promise<void> {
    await this.database.query(
      `UPDATE launches SET saved_at = clock_timestamp(), seconds = seconds + $2,
         exited_at = CASE WHEN $3 THEN clock_timestamp() END
       WHERE id = $1`,
      [session.id, seconds, closing],
    );
  }
}
