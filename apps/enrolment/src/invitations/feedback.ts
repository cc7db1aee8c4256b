import { type Plan, type PlannedCourse, type Shortfall } from './plan-learners.ts';
import { type Seats } from './seats.ts';

/** How many learners a message names; it counts the others. */
const namedAtMost = 10;

/** "ann@example.com, bob@example.com and 3 more". */
function listed(learners: readonly string[]): string {
  const named = learners.slice(0, namedAtMost).join(', ');
  const more = learners.length - namedAtMost;
  return more > 0 ? `${named} and ${more} more` : named;
}

function* byCourse(
  shortfalls: readonly Shortfall[],
  cause: (course: PlannedCourse) => string,
): Iterable<string> {
  for (const [course, its] of Map.groupBy(shortfalls, (each) => each.course)) {
    const learners = listed(its.map((each) => each.learnerId));
    yield `${cause(course)} In the invitation without a registration for it: ${learners}.`;
  }
}

/** Why nothing is added to an invitation or removed from it; null when it can be. */
export function closedFeedback(invitation: {
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

/** What people should know of what add_learners did for them (api-v2.md, `messages`). */
export function* planFeedback(
  plan: Plan,
  { courses, seats }: { readonly courses: readonly PlannedCourse[]; readonly seats: Seats },
): Iterable<string> {
  if (courses.length === 0 && plan.joining.length > 0) {
    yield 'The invitation has no courses yet: the learners were added without registrations.';
  }
  yield* byCourse(plan.withoutSeat, ({ courseGuid, title }) =>
    seats.isFor(courseGuid)
      ? `No seat is free for the course "${title}".`
      : `The licence has no seats for the course "${title}".`,
  );
  yield* byCourse(plan.withoutCourse, ({ title }) => `The course "${title}" was deleted.`);
  if (plan.notMembers.length > 0) {
    yield `Not in the invitation, so not removed: ${listed(plan.notMembers)}.`;
  }
  if (plan.kept.length > 0) {
    yield `Named to be added and to be removed, so kept: ${listed(plan.kept)}.`;
  }
  if (plan.seatsKept.length > 0) {
    const learners = listed([...new Set(plan.seatsKept)]);
    yield `Removed, but their seats stay taken, because they have launched a course: ${learners}.`;
  }
}

/** That registrations are not at their course provider yet, although that was wanted. */
export function delayFeedback(count: number, reason: string | null): string {
  const what = count === 1 ? 'One registration is' : `${count} registrations are`;
  const said = reason ? ` It said: ${reason}` : '';
  return `${what} not ready at the course provider yet and will be soon.${said}`;
}
