import { Database, sql } from '@registrar/persistence';
import {
  ConflictException,
  Injectable,
  NotFoundException,
  PayloadTooLargeException,
} from '@nestjs/common';
import * as z from 'zod';
import type { ExitAction } from '../configuration/exit-actions.ts';
import { launchablesOf } from '../packages/course-structure.ts';
import { readRuntime } from '../results/read-runtime.ts';
import { applyStatusRules, mergeResult, type Result } from '../results/result.ts';
import { hasRuntime, runtimeData } from '../results/runtime.ts';
import { scoResult } from '../results/sco-result.ts';
import { withFinalStatus } from '../results/scorm-12-runtime.ts';
import { type AvailableRequests, availableRequests } from '../sequencing/available-requests.ts';
import { trackContent } from '../sequencing/track-content.ts';
import { CourseSequencing } from './course-sequencing.ts';
import { freeCourse, freelyAvailable } from './free-navigation.ts';
import { type LaunchSession, LaunchSessions } from './launch-sessions.ts';
import { RegistrationValues } from './registration-values.ts';
import { type ActivityState, RollUpRegistration, type Standings } from './roll-up-registration.ts';
import { sharedBranch, writeSharedData } from './shared-entries.ts';

/** A report of the player on a running part. */
export const activityReport = z.object({
  activityId: z.string().max(4096),
  /** The number that the response to the opening of the activity contained. */
  sitting: z.int().min(1).max(2_147_483_647),
  /** The number of the report within its sitting, from 1. */
  sequence: z.int().min(1).max(2_147_483_647),
  /** Seconds tracked in the activity, including earlier sessions. */
  seconds: z.number().min(0).max(1e9),
  /** The branches of the data model under `cmi` that have changed since the previous report. */
  runtime: runtimeData,
  /** The content has ended its session (`Terminate`, `LMSFinish`). */
  ended: z.boolean(),
  /** The window is closing. */
  closing: z.boolean(),
});
export type ActivityReport = z.output<typeof activityReport>;

/**
 * Characters of a SCO's run-time data as JSON. Reports accumulate, and a page of full results
 * contains all data of a hundred registrations.
 */
const maxRuntimeLength = 2 * 1024 * 1024;

/** The position of a report in the order of all reports of an activity. */
type ReportPosition = Pick<ActivityReport, 'sitting' | 'sequence'>;

/**
 * Whether a report is newer than the last stored one. Reports of one sitting may arrive out of
 * order. Reports of an earlier sitting are accepted until a later sitting has reported.
 */
export const isNewer = (report: ReportPosition, stored: ReportPosition): boolean =>
  report.sitting === stored.sitting
    ? report.sequence > stored.sequence
    : report.sitting > stored.sitting;

/** What the player shows after a report. */
export interface SavedReport {
  readonly standings: Standings;
  /** Null if the report has no influence on it. */
  readonly available: AvailableRequests | null;
  /** What the player does now; null unless the content has ended its session in a course without sequencing. */
  readonly exitAction: Exclude<ExitAction, 'UNDEFINED'> | null;
}

/** Stores reports on activities, and updates the registration. */
@Injectable()
export class SaveActivityReport {
  constructor(
    private readonly database: Database,
    private readonly registration: RollUpRegistration,
    private readonly sessions: LaunchSessions,
    private readonly values: RegistrationValues,
    private readonly sequencing: CourseSequencing,
  ) {}

  /**
   * Stores a report. Reports of one sitting may arrive in any order, because the player sends small
   * branches of the data ahead of large ones: each branch is stored unless a newer report contained
   * it, and the rest of a report only if it is the newest.
   *
   * @throws {NotFoundException} if the activity was not opened, or the session is a review
   * @throws {ConflictException} if the session has ended, or a newer window has reported
   * @throws {PayloadTooLargeException} if the run-time data exceed {@link maxRuntimeLength}
   */
  async save(session: LaunchSession, report: ActivityReport): Promise<SavedReport> {
    const { activityId } = report;
    const activity = launchablesOf(session.structure.root).find(({ id }) => id === activityId);
    if (!activity || !session.tracking) throw new NotFoundException('Nothing is tracked here.');
    return this.database.transaction(async () => {
      await this.registration.lock(session);
      const state = await this.registration.findState(session, activityId);
      if (!state) throw new NotFoundException('This part of the course was not opened.');
      const isNewest = isNewer(report, state);
      const isSameSitting = report.sitting === state.sitting;
      if (!isNewest && !isSameSitting) {
        throw new ConflictException('The course is open in a newer window.');
      }
      const stored = isSameSitting ? state.branch_sequences : {};
      const newer = Object.entries(report.runtime).filter(
        ([branch]) => report.sequence > (stored[branch] ?? 0),
      );
      const sequencing = await this.sequencing.load(session);
      if (!isNewest && newer.length === 0) {
        return {
          standings: await this.registration.standings(session, sequencing),
          available: null,
          exitAction: null,
        };
      }
      const sequences = newer.map(([branch]) => [branch, report.sequence] as const);
      const hasEnded = isNewest ? report.ended : !state.suspended;
      const { settings, structure } = session;
      const { standard } = structure;
      const { [sharedBranch]: shared, ...branches } = Object.fromEntries(newer);
      const reported = { ...state.runtime, ...branches };
      const runtime =
        standard === 'SCORM12' && hasEnded && hasRuntime(reported)
          ? withFinalStatus(reported, activity.masteryScore, settings.scoreOverridesStatus)
          : reported;
      if (JSON.stringify(runtime).length > maxRuntimeLength) {
        throw new PayloadTooLargeException('The run-time data of the content are too large.');
      }
      const read = readRuntime(standard, runtime);
      const ended = hasEnded && read.exit !== 'suspend';
      const merged = mergeResult(state, scoResult(read, activity, ended));
      const result = applyStatusRules(merged, settings.statusRules);
      const seconds = Math.max(state.seconds, report.seconds);
      const { sitting, sequence } = isNewest ? report : state;
      await this.store(session, activityId, {
        ...result,
        runtime,
        seconds,
        suspended: !ended,
        sitting,
        sequence,
        branch_sequences: { ...stored, ...Object.fromEntries(sequences) },
      });
      if (sequencing) {
        if (sequencing.state.current === activityId) {
          const isDecided = result.completion !== merged.completion;
          const completion_status = result.completion.toLowerCase();
          const tracked = isDecided ? { ...runtime, completion_status } : runtime;
          trackContent(sequencing, activityId, tracked, !ended);
        }
        sequencing.sharedData = writeSharedData(sequencing.sharedData, activity, shared);
        await this.sequencing.save(session, sequencing);
      } else await this.values.update(session, activity, read, shared);
      await this.updateLaunch(session, report, isNewest, seconds - state.seconds);
      const leaving = { isLeaving: report.closing };
      const rolledUp = await this.registration.rollUp(session, sequencing, leaving);
      const hasExited = isNewest && hasEnded && !sequencing;
      return {
        standings: rolledUp.standings,
        available: sequencing
          ? availableRequests(sequencing)
          : await this.availableAfter(session, activityId),
        exitAction: hasExited
          ? exitActionAfter(session, {
              activityId,
              exit: read.exit,
              part: result,
              course: rolledUp.result,
            })
          : null,
      };
    });
  }

  /** Returns what can be opened in a course without sequencing, if results decide about it. */
  private async availableAfter(
    session: LaunchSession,
    current: string,
  ): Promise<AvailableRequests | null> {
    const { structure } = session;
    const parts = launchablesOf(structure.root);
    if (!parts.some(({ prerequisites }) => prerequisites !== undefined)) return null;
    const visited = await this.registration.states(session);
    return freelyAvailable(freeCourse({ structure, visited, current }));
  }

  private async store(
    session: LaunchSession,
    activityId: string,
    state: Omit<ActivityState, 'attempts'>,
  ): Promise<void> {
    await this.database.execute(
      sql`UPDATE sco_states SET
            completion = ${state.completion}, success = ${state.success}, score = ${state.score},
            progress = ${state.progress}, runtime = ${state.runtime}, seconds = ${state.seconds},
            suspended = ${state.suspended}, sitting = ${state.sitting},
            sequence = ${state.sequence}, branch_sequences = ${state.branch_sequences}
          WHERE registration = ${session.registration} AND activity_id = ${activityId}`,
    );
  }

  private async updateLaunch(
    session: LaunchSession,
    { closing }: ActivityReport,
    isNewest: boolean,
    seconds: number,
  ): Promise<void> {
    await this.database.execute(
      sql`UPDATE launches SET saved_at = clock_timestamp(), seconds = seconds + ${seconds}
          WHERE id = ${session.id}`,
    );
    if (isNewest) await this.sessions.setClosing(session, closing);
  }
}

/** What follows when content has ended its session, as the settings of the course say. */
function exitActionAfter(
  { settings, structure }: LaunchSession,
  ended: {
    readonly activityId: string;
    readonly exit: string;
    readonly part: Result;
    readonly course: Result;
  },
): SavedReport['exitAction'] {
  const parts = launchablesOf(structure.root);
  const isFinal = parts.at(-1)?.id === ended.activityId;
  const { completion, success } = isFinal ? ended.course : ended.part;
  const isSatisfied = success === 'PASSED' || (success !== 'FAILED' && completion === 'COMPLETED');
  const action = settings.exitActionOf({ isFinal, isSatisfied, exit: ended.exit });
  if (action !== 'UNDEFINED') return action;
  return parts.length === 1 ? 'EXIT_COURSE' : 'DISPLAY_MESSAGE';
}
