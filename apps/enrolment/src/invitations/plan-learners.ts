import { type EmailAddress } from '@registrar/contracts';
import * as z from 'zod';
import { keepsSeat, needsSeat, returnSeat, seatChanges, takeSeat } from './seats.ts';

export const plannedCourse = z.object({
  applicationId: z.number(),
  courseGuid: z.string(),
  title: z.string(),
  /** False after the course was deleted at its provider. */
  available: z.boolean(),
});
/** A course of an invitation. */
export type PlannedCourse = Readonly<z.infer<typeof plannedCourse>>;

export const assignment = z.object({
  learnerKey: z.string(),
  courseGuid: z.string(),
  registrationId: z.number(),
  holdsSeat: z.boolean(),
});
/** The registration for a course that a learner got through the invitation, removed or not. */
export type Assignment = Readonly<z.infer<typeof assignment>>;

export const lockedRegistration = z.object({
  id: z.number(),
  applicationId: z.number(),
  courseGuid: z.string(),
  learnerKey: z.string(),
  active: z.boolean(),
  deleted: z.boolean(),
  launched: z.boolean(),
});
export type ExistingRegistration = Readonly<z.infer<typeof lockedRegistration>> & {
  /** Another invitation has assigned it to one of its learners. */
  readonly shared: boolean;
};

/** What a plan depends on: an invitation as the learners of one request find it, locked. */
export interface InvitationState {
  readonly courses: readonly PlannedCourse[];
  /** The keys of the request's learners and unlearners that are in the invitation. */
  readonly members: ReadonlySet<string>;
  readonly assignments: readonly Assignment[];
  /** The assigned registrations, and the active ones of its courses if duplicates are avoided. */
  readonly registrations: readonly ExistingRegistration[];
  readonly avoidsDuplicates: boolean;
  /** Only a license needs seats. */
  readonly license: boolean;
  readonly freeSeats: ReadonlyMap<string, number>;
}

/** A registration to create. */
export interface NewRegistration {
  readonly learnerKey: string;
  readonly learnerId: EmailAddress;
  readonly applicationId: number;
  readonly courseGuid: string;
}

/** A learner who gets no registration for a course. */
export interface Shortfall {
  readonly learnerId: EmailAddress;
  readonly course: PlannedCourse;
}

/** The changes that a request makes, and what it cannot do. */
export interface Plan {
  readonly joining: readonly EmailAddress[];
  readonly leaving: readonly string[];
  readonly created: readonly NewRegistration[];
  /** Existing registrations that learners get. */
  readonly assigned: readonly Assignment[];
  /** Assignments of removed learners that no longer hold a seat. */
  readonly released: readonly Pick<Assignment, 'learnerKey' | 'courseGuid'>[];
  readonly activated: readonly number[];
  readonly deactivated: readonly number[];
  readonly seatChanges: ReadonlyMap<string, number>;
  readonly withoutSeat: readonly Shortfall[];
  readonly withoutCourse: readonly Shortfall[];
  readonly notMembers: readonly EmailAddress[];
  /** In both lists of the request. */
  readonly kept: readonly EmailAddress[];
  /** The keys of removed learners, once per seat that they keep. */
  readonly seatsKept: readonly string[];
}

/** Returns the form in which learners are compared: e-mail addresses ignore case. */
export const learnerKey = (learnerId: string): string => learnerId.toLowerCase();

/** Returns each learner once by key, in the order and the spelling of the first occurrence. */
export function distinctLearners(learners: readonly EmailAddress[]): Map<string, EmailAddress> {
  const distinct = new Map<string, EmailAddress>();
  for (const learnerId of learners) {
    const key = learnerKey(learnerId);
    if (!distinct.has(key)) distinct.set(key, learnerId);
  }
  return distinct;
}

const assignmentKey = (key: string, courseGuid: string) => `${key} ${courseGuid}`;

/**
 * Plans what a request changes (contract/invitations#add-learners). Removals are planned first, so
 * that their seats are free for added learners, who are served in the order of the request.
 */
export function planLearners(
  request: {
    readonly learners: readonly EmailAddress[];
    readonly unlearners: readonly EmailAddress[];
  },
  state: InvitationState,
): Plan {
  const { courses, members, license } = state;
  const freeSeats = new Map(state.freeSeats);
  const plan = {
    joining: [] as EmailAddress[],
    leaving: [] as string[],
    created: [] as NewRegistration[],
    assigned: [] as Assignment[],
    released: [] as { learnerKey: string; courseGuid: string }[],
    activated: [] as number[],
    deactivated: [] as number[],
    withoutSeat: [] as Shortfall[],
    withoutCourse: [] as Shortfall[],
    notMembers: [] as EmailAddress[],
    kept: [] as EmailAddress[],
    seatsKept: [] as string[],
  };
  const registrations = new Map(state.registrations.map((each) => [each.id, each]));
  const assignments = new Map(
    state.assignments.map((each) => [assignmentKey(each.learnerKey, each.courseGuid), each]),
  );
  const reusable = new Map(
    state.registrations
      .filter((each) => state.avoidsDuplicates && each.active && !each.deleted)
      .toSorted((a, b) => a.id - b.id)
      .map((each) => [
        `${each.applicationId} ${assignmentKey(each.learnerKey, each.courseGuid)}`,
        each,
      ]),
  );
  const added = distinctLearners(request.learners);
  for (const [key, learnerId] of distinctLearners(request.unlearners)) {
    // A learner in both lists stays (contract/invitations#kept-learner).
    if (added.has(key)) plan.kept.push(learnerId);
    else if (!members.has(key)) plan.notMembers.push(learnerId);
    else plan.leaving.push(key);
  }
  const leaving = new Set(plan.leaving);
  for (const each of state.assignments) {
    if (leaving.has(each.learnerKey)) withdraw(each);
  }
  for (const [key, learnerId] of added) {
    if (!members.has(key)) plan.joining.push(learnerId);
    for (const course of courses) assign(key, learnerId, course);
  }
  return { ...plan, seatChanges: seatChanges(state.freeSeats, freeSeats) };

  function withdraw({ learnerKey, courseGuid, registrationId, holdsSeat }: Assignment): void {
    const registration = registrations.get(registrationId);
    if (registration?.active && !registration.shared) plan.deactivated.push(registration.id);
    if (!holdsSeat) return;
    if (keepsSeat(holdsSeat, registration?.launched === true)) {
      plan.seatsKept.push(learnerKey);
      return;
    }
    returnSeat(freeSeats, courseGuid);
    plan.released.push({ learnerKey, courseGuid });
  }

  function assign(key: string, learnerId: EmailAddress, course: PlannedCourse): void {
    const { applicationId, courseGuid } = course;
    const former = assignments.get(assignmentKey(key, courseGuid));
    const holdsSeat = former?.holdsSeat === true;
    const known = former && registrations.get(former.registrationId);
    const usable = known && !known.deleted ? known : null;
    if (members.has(key) && usable?.active) return;
    if (!course.available) {
      plan.withoutCourse.push({ learnerId, course });
      return;
    }
    if (needsSeat(license, holdsSeat) && !takeSeat(freeSeats, courseGuid)) {
      plan.withoutSeat.push({ learnerId, course });
      return;
    }
    const reused = reusable.get(`${applicationId} ${assignmentKey(key, courseGuid)}`);
    const registration = usable?.active ? usable : (reused ?? usable);
    if (!registration) {
      plan.created.push({ learnerKey: key, learnerId, applicationId, courseGuid });
      return;
    }
    if (!registration.active) plan.activated.push(registration.id);
    plan.assigned.push({
      learnerKey: key,
      courseGuid,
      registrationId: registration.id,
      holdsSeat: license || holdsSeat,
    });
  }
}
