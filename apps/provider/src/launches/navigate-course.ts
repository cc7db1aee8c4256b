import { Database } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { hasRuntime } from '../results/runtime.ts';
import { type AvailableRequests, availableRequests } from '../sequencing/available-requests.ts';
import { beginSession } from '../sequencing/begin-session.ts';
import { navigate, type Outcome } from '../sequencing/navigate.ts';
import { changeable, currentOf, stateOf } from '../sequencing/sequencing-state.ts';
import { navigationCommands, type Refusal } from '../sequencing/requests.ts';
import { CourseSequencing, type StoredSession } from './course-sequencing.ts';
import { freeCourse, freelyAvailable, navigateFreely } from './free-navigation.ts';
import { type LaunchSession, LaunchSessions } from './launch-sessions.ts';
import { OpenActivity, type OpenedActivity } from './open-activity.ts';
import { RollUpRegistration, type Standings } from './roll-up-registration.ts';

const activityId = z.string().max(4096);

/** A navigation request of the learner or of content. */
export const navigationBody = z.object({
  /** `start` begins or resumes the course. */
  command: z.enum(navigationCommands),
  /** The id of the activity that is chosen, for the commands `choice` and `jump`. */
  target: activityId.optional(),
  /** The id of the activity that is open, or was open last. */
  current: activityId.nullable(),
});
export type NavigationBody = z.output<typeof navigationBody>;

/** What a navigation request led to. */
export interface Navigated {
  /** The activity that opens; null if none does. */
  readonly activity: OpenedActivity | null;
  /** The learner has left the course. */
  readonly ended: boolean;
  /** Why no activity opens; null if nothing speaks against it. */
  readonly refusal: Refusal | null;
  readonly available: AvailableRequests;
  readonly standings: Standings;
}

/** Executes navigation requests: decides which activity opens, and opens it. */
@Injectable()
export class NavigateCourse {
  constructor(
    private readonly database: Database,
    private readonly registration: RollUpRegistration,
    private readonly sessions: LaunchSessions,
    private readonly sequencing: CourseSequencing,
    private readonly openActivity: OpenActivity,
  ) {}

  /** @throws {ConflictException} if the session has ended, or the course was opened in a newer window */
  async navigate(launch: LaunchSession, request: NavigationBody): Promise<Navigated> {
    return this.database.transaction(async () => {
      if (launch.tracking) await this.registration.lock(launch);
      await this.sessions.setClosing(launch, false);
      const session = await this.sequencing.load(launch);
      return session ? this.inSequence(launch, session, request) : this.freely(launch, request);
    });
  }

  private async inSequence(
    launch: LaunchSession,
    session: StoredSession,
    request: NavigationBody,
  ): Promise<Navigated> {
    const attempts = () => stateOf(session, session.tree.root).attempts;
    const before = attempts();
    const content = await this.contentOf(launch, session.state.current);
    const current = currentOf(session);
    if (current && content !== 'none') {
      changeable(session, current).suspended = content === 'suspended';
    }
    const outcome =
      request.command === 'start'
        ? beginSession(session, content === 'ended', launch.startActivity)
        : navigate(session, request);
    // A new attempt on the course begins without the data that belong to one attempt.
    const isNewAttempt = attempts() > before;
    if (isNewAttempt && !launch.structure.sequencing?.sharedDataGlobalToSystem) {
      session.sharedData = {};
    }
    const navigated = await this.open(launch, outcome, session, () => availableRequests(session));
    await this.sequencing.save(launch, session);
    return navigated;
  }

  /** Whether the content of an activity has ended, or is to be resumed. */
  private async contentOf(
    launch: LaunchSession,
    activityId: string | null,
  ): Promise<'none' | 'suspended' | 'ended'> {
    const state =
      activityId === null ? null : await this.registration.findState(launch, activityId);
    if (!state || (!hasRuntime(state.runtime) && !state.suspended)) return 'none';
    return state.suspended ? 'suspended' : 'ended';
  }

  private async freely(launch: LaunchSession, request: NavigationBody): Promise<Navigated> {
    const { structure, startActivity } = launch;
    const visited = await this.registration.states(launch);
    const startsElsewhere = request.command === 'start' && startActivity !== null;
    const outcome = navigateFreely(
      freeCourse({ structure, visited, ...request }),
      startsElsewhere ? { command: 'choice', target: startActivity } : request,
    );
    const current = outcome.kind === 'delivered' ? outcome.activityId : request.current;
    return this.open(launch, outcome, null, async () =>
      freelyAvailable(
        freeCourse({ structure, visited: await this.registration.states(launch), current }),
      ),
    );
  }

  private async open(
    launch: LaunchSession,
    outcome: Outcome,
    session: StoredSession | null,
    available: () => AvailableRequests | Promise<AvailableRequests>,
  ): Promise<Navigated> {
    const activity =
      outcome.kind === 'delivered' ? await this.openActivity.open(launch, outcome, session) : null;
    const delivered = session && currentOf(session);
    // Until its content ends, an activity is to be resumed.
    if (delivered && activity?.usesApi) changeable(session, delivered).suspended = true;
    const { standings } = launch.tracking
      ? await this.registration.rollUp(launch, session, { isLeaving: false })
      : { standings: await this.registration.standings(launch, session) };
    return {
      activity,
      ended: outcome.kind === 'ended',
      refusal: outcome.kind === 'nothing' ? outcome.refusal : null,
      available: await available(),
      standings,
    };
  }
}
