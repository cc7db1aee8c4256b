import type { EmailAddress } from '@registrar/contracts';
import { type AssignedRegistration } from './find-assignments.ts';
import {
  distinctLearners,
  type InvitationState,
  learnerKey,
  type Plan,
  type PlannedCourse,
  type Shortfall,
} from './plan-learners.ts';

/** How many learners a message names; it counts the others. */
const maxNamedLearners = 10;

/** "ann@example.com, bob@example.com and 3 more". */
function nameLearners(learners: readonly string[]): string {
  const named = learners.slice(0, maxNamedLearners).join(', ');
  const more = learners.length - maxNamedLearners;
  return more > 0 ? `${named} and ${more} more` : named;
}

function* messagesByCourse(
  shortfalls: readonly Shortfall[],
  cause: (course: PlannedCourse) => string,
): Iterable<string> {
  for (const [course, ofCourse] of Map.groupBy(shortfalls, (each) => each.course)) {
    const learners = nameLearners(ofCourse.map((each) => each.learnerId));
    yield `${cause(course)} In the invitation without a registration for it: ${learners}.`;
  }
}

/**
 * Says why an invitation is closed (contract/invitations#closed-invitation). Returns null for an
 * open one.
 */
export function closedMessage(invitation: {
  readonly name: string;
  readonly enabled: boolean;
  readonly noUpdatesAllowed: boolean;
}): string | null {
  const { name, enabled, noUpdatesAllowed } = invitation;
  if (!enabled) return `The invitation "${name}" is not enabled. Nobody was added or removed.`;
  if (noUpdatesAllowed) {
    return `The invitation "${name}" allows no changes. Nobody was added or removed.`;
  }
  return null;
}

/**
 * Says what add_learners has not done and why, and then for each learner what it has done
 * (contract/invitations#messages).
 */
export function* planMessages(
  plan: Plan,
  state: Pick<InvitationState, 'courses' | 'freeSeats' | 'license'>,
  invitationName: string,
): Iterable<string> {
  const { courses, freeSeats } = state;
  if (courses.length === 0 && plan.joining.length > 0) {
    yield 'The invitation has no courses yet: the learners were added without registrations.';
  }
  yield* messagesByCourse(plan.withoutSeat, ({ courseGuid, title }) =>
    freeSeats.has(courseGuid)
      ? `No seat is free for the course "${title}".`
      : `The license has no seats for the course "${title}".`,
  );
  yield* messagesByCourse(plan.withoutCourse, ({ title }) => `The course "${title}" was deleted.`);
  if (plan.notMembers.length > 0) {
    yield `Not in the invitation, so not removed: ${nameLearners(plan.notMembers)}.`;
  }
  if (plan.kept.length > 0) {
    yield `Named to be added and to be removed, so kept: ${nameLearners(plan.kept)}.`;
  }
  if (plan.seatsKept.length > 0) {
    const learners = nameLearners([...new Set(plan.seatsKept)]);
    yield `Removed, but their seats stay taken, because they have launched a course: ${learners}.`;
  }
  yield* successMessages(plan, state, invitationName);
}

/**
 * One message for each learner who joined the invitation or got registrations through it; none for learners who got
 * none of its courses, whom the messages above name (contract/invitations#success-messages).
 */
function* successMessages(
  { joining, created, assigned }: Plan,
  { courses, license }: Pick<InvitationState, 'courses' | 'license'>,
  invitationName: string,
): Iterable<string> {
  const invitation = `the ${license ? 'license' : 'invitation'} "${invitationName}"`;
  const counts = new Map<string, number>();
  for (const { learnerKey: key } of [...created, ...assigned]) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const learnerId of joining) {
    const count = counts.get(learnerKey(learnerId)) ?? 0;
    counts.delete(learnerKey(learnerId));
    if (count === 0 && courses.length > 0) continue;
    yield (
      `Success! ${learnerId} was added to ${invitation}: ` +
      `registrations for ${count} of its ${courses.length} courses.`
    );
  }
  for (const [learnerId, count] of counts) {
    yield `Success! ${learnerId} has registrations for ${count} more courses of ${invitation}.`;
  }
}

/**
 * One message for each of the learners who was in the invitation before and whom no other message is about
 * (contract/compatibility#member-message).
 */
export function* memberMessages(
  learners: readonly EmailAddress[],
  { created, assigned, withoutSeat, withoutCourse }: Plan,
  { license, members }: Pick<InvitationState, 'license' | 'members'>,
  invitationName: string,
): Iterable<string> {
  const named = [...withoutSeat, ...withoutCourse].map(({ learnerId }) => learnerKey(learnerId));
  const changed = new Set([...named, ...[...created, ...assigned].map((each) => each.learnerKey)]);
  for (const [key, learnerId] of distinctLearners(learners)) {
    if (!members.has(key) || changed.has(key)) continue;
    yield `${learnerId} is in the ${license ? 'license' : 'invitation'} "${invitationName}" already.`;
  }
}

/**
 * Says which registrations of a request with `nodelay` are not at the course provider, by course
 * (contract/invitations#nodelay).
 *
 * @param reason the provider's error message, if it has refused one
 */
export function* absentMessages(
  absent: readonly Pick<AssignedRegistration, 'learnerKey' | 'title' | 'providerState'>[],
  reason: string | null,
): Iterable<string> {
  const said = reason ? ` It said: ${reason}` : '';
  // Those of the provider state `local` are never created there.
  for (const isLocal of [false, true]) {
    const some = absent.filter(({ providerState }) => (providerState === 'local') === isLocal);
    for (const [title, registrations] of Map.groupBy(some, (each) => each.title)) {
      const learners = nameLearners(registrations.map((each) => each.learnerKey));
      yield isLocal
        ? `Never created at the course provider, as requested, for the course "${title}": ${learners}.`
        : `Not at the course provider yet for the course "${title}", and tried again until it is: ` +
          `${learners}.${said}`;
    }
  }
}
