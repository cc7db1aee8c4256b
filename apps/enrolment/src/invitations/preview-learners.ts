import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { previewLearners } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { type Invitation, InvitationRepository } from './invitation-repository.ts';
import { LoadInvitationState } from './load-invitation-state.ts';
import {
  distinctLearners,
  type InvitationState,
  learnerKey,
  type Plan,
  planLearners,
  type Shortfall,
} from './plan-learners.ts';

type Reply = ReplyOf<typeof previewLearners>;

/** The most courses that are named for a learner. */
const maxNamed = 5;

/** Says what add_learners would do, for the console. Reads without locks, and writes nothing. */
@Controller()
export class PreviewLearners {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly loadInvitationState: LoadInvitationState,
  ) {}

  @HandleRequest(previewLearners)
  async preview(input: InputOf<typeof previewLearners>): Promise<Reply> {
    const { scope, invitationId, learners } = input;
    requireRealmAccess(scope);
    const invitation = await this.invitations.find(scope, { by: 'id', id: invitationId });
    const { name } = invitation;
    const closed = closedBecause(invitation);
    if (closed !== null) return { name, closed, learners: [], seats: [] };
    const distinct = distinctLearners(learners);
    const state = await this.loadInvitationState.peek(invitation, [...distinct.keys()]);
    const plan = planLearners({ learners, unlearners: [] }, state);
    return { name, closed, learners: outcomes(distinct, plan, state), seats: seatsOf(plan, state) };
  }
}

function closedBecause({ enabled, noUpdatesAllowed }: Invitation): Reply['closed'] {
  if (!enabled) return 'disabled';
  return noUpdatesAllowed ? 'no-updates' : null;
}

function outcomes(
  learners: ReturnType<typeof distinctLearners>,
  plan: Plan,
  { members }: InvitationState,
): Reply['learners'] {
  const created = Map.groupBy(plan.created, (each) => each.learnerKey);
  const assigned = Map.groupBy(plan.assigned, (each) => each.learnerKey);
  const withoutSeat = byLearner(plan.withoutSeat);
  const withoutCourse = byLearner(plan.withoutCourse);
  return [...learners].map(([key, learnerId]) => ({
    learner_id: learnerId,
    member: members.has(key),
    created: created.get(key)?.length ?? 0,
    assigned: assigned.get(key)?.length ?? 0,
    without_seat: coursesOf(withoutSeat.get(key)),
    without_seat_count: withoutSeat.get(key)?.length ?? 0,
    deleted_courses: coursesOf(withoutCourse.get(key)),
    deleted_courses_count: withoutCourse.get(key)?.length ?? 0,
  }));
}

const byLearner = (shortfalls: readonly Shortfall[]) =>
  Map.groupBy(shortfalls, ({ learnerId }) => learnerKey(learnerId));

const coursesOf = (shortfalls: readonly Shortfall[] = []) =>
  shortfalls.slice(0, maxNamed).map(({ course: { courseGuid, title } }) => ({
    course_guid: courseGuid,
    title,
  }));

function seatsOf({ seatChanges }: Plan, { courses, freeSeats }: InvitationState): Reply['seats'] {
  const titles = new Map(courses.map(({ courseGuid, title }) => [courseGuid, title]));
  return [...seatChanges].map(([courseGuid, change]) => ({
    course_guid: courseGuid,
    title: titles.get(courseGuid) ?? courseGuid,
    free: freeSeats.get(courseGuid) ?? 0,
    change,
  }));
}
