import { type EmailAddress } from '#libs/contracts';
import { type Seats } from './seats.ts';

/** A course of an invitation. */
export interface PlannedCourse {
  readonly applicationId: number;
  readonly courseGuid: string;
  readonly title: string;
  /** False once it was deleted at its provider. */
  readonly available: boolean;
}

/** What a learner has got through the invitation, now or before a removal. */
export interface Grant {
  readonly learnerKey: string;
  readonly courseGuid: string;
  readonly registrationId: number;
  readonly holdsSeat: boolean;
}

export interface KnownRegistration {
  readonly id: number;
  readonly applicationId: number;
  readonly courseGuid: string;
  readonly learnerKey: string;
  readonly active: boolean;
  readonly deleted: boolean;
  readonly launched: boolean;
  /** A learner of another invitation has it through that one. */
  readonly sharedWithOther: boolean;
}

/** How an invitation stands to the learners of one call; it does not change meanwhile. */
export interface Standing {
  readonly courses: readonly PlannedCourse[];
  /** Those of the call's learners and unlearners that are in the invitation. */
  readonly members: ReadonlySet<string>;
  readonly grants: readonly Grant[];
  /** The granted ones, and those that may be reused: active ones of its courses. */
  readonly registrations: readonly KnownRegistration[];
  readonly avoidsDuplicates: boolean;
  /** Only a licence asks for seats. */
  readonly license: boolean;
  readonly seats: Seats;
}

/** A registration that is to be made for a learner. */
export interface NewGrant {
  readonly learnerKey: string;
  readonly learnerId: EmailAddress;
  readonly applicationId: number;
  readonly courseGuid: string;
}

/** A learner who goes without something, and the course that it is about. */
export interface Shortfall {
  readonly learnerId: EmailAddress;
  readonly course: PlannedCourse;
}

/** What add_learners does. */
export interface Plan {
  readonly joining: EmailAddress[];
  readonly leaving: string[];
  readonly made: NewGrant[];
  /** Registrations that learners get that exist already. */
  readonly granted: Grant[];
  /** Of those who leave: their seat is free again. */
  readonly released: { readonly learnerKey: string; readonly courseGuid: string }[];
  readonly activated: number[];
  readonly deactivated: number[];
  readonly withoutSeat: Shortfall[];
  readonly withoutCourse: Shortfall[];
  readonly notMembers: EmailAddress[];
  /** Named on both sides: they stay. */
  readonly kept: EmailAddress[];
  /** Removed, although a seat stays with them. */
  readonly seatsKept: string[];
}

/** How learners are compared: without regard to case. */
export const learnerKey = (learnerId: string): string => learnerId.toLowerCase();

/** Each learner once, in the order and spelling in which they come first. */
export function distinctLearners(learners: readonly EmailAddress[]): Map<string, EmailAddress> {
  const distinct = new Map<string, EmailAddress>();
  for (const learnerId of learners) {
    const key = learnerKey(learnerId);
    if (!distinct.has(key)) distinct.set(key, learnerId);
  }
  return distinct;
}

const place = (key: string, courseGuid: string) => `${key} ${courseGuid}`;

/**
 * Plans what becomes of a call's learners (decision 25). Those who leave come first, so that their
 * seats can go to those who come; these are served in the order of the call. `seats` is left with
 * what remains free.
 */
export function planLearners(
  call: {
    readonly learners: readonly EmailAddress[];
    readonly unlearners: readonly EmailAddress[];
  },
  standing: Standing,
): Plan {
  const { courses, members, license, seats } = standing;
  const plan: Plan = {
    joining: [],
    leaving: [],
    made: [],
    granted: [],
    released: [],
    activated: [],
    deactivated: [],
    withoutSeat: [],
    withoutCourse: [],
    notMembers: [],
    kept: [],
    seatsKept: [],
  };
  const registrations = new Map(standing.registrations.map((each) => [each.id, each]));
  const grants = new Map(
    standing.grants.map((grant) => [place(grant.learnerKey, grant.courseGuid), grant]),
  );
  const reusable = new Map(
    standing.registrations
      .filter((each) => standing.avoidsDuplicates && each.active && !each.deleted)
      .toSorted((a, b) => a.id - b.id)
      .map((each) => [`${each.applicationId} ${place(each.learnerKey, each.courseGuid)}`, each]),
  );
  const coming = distinctLearners(call.learners);
  for (const [key, learnerId] of distinctLearners(call.unlearners)) {
    if (coming.has(key)) plan.kept.push(learnerId);
    else if (!members.has(key)) plan.notMembers.push(learnerId);
    else plan.leaving.push(key);
  }
  const leaving = new Set(plan.leaving);
  for (const grant of standing.grants) {
    if (leaving.has(grant.learnerKey)) leave(grant, registrations.get(grant.registrationId));
  }
  for (const [key, learnerId] of coming) {
    if (!members.has(key)) plan.joining.push(learnerId);
    for (const course of courses) grantCourse(key, learnerId, course);
  }
  return plan;

  function leave(grant: Grant, registration: KnownRegistration | undefined): void {
    if (registration?.active && !registration.sharedWithOther) {
      plan.deactivated.push(registration.id);
    }
    if (!grant.holdsSeat) return;
    if (registration?.launched) return void plan.seatsKept.push(grant.learnerKey);
    seats.giveBack(grant.courseGuid);
    plan.released.push({ learnerKey: grant.learnerKey, courseGuid: grant.courseGuid });
  }

  function grantCourse(key: string, learnerId: EmailAddress, course: PlannedCourse): void {
    const { applicationId, courseGuid } = course;
    const grant = grants.get(place(key, courseGuid));
    const before = grant && registrations.get(grant.registrationId);
    const usable = before && !before.deleted ? before : null;
    if (members.has(key) && usable?.active) return;
    if (!course.available) return void plan.withoutCourse.push({ learnerId, course });
    if (license && !grant?.holdsSeat && !seats.take(courseGuid)) {
      return void plan.withoutSeat.push({ learnerId, course });
    }
    const reused = reusable.get(`${applicationId} ${place(key, courseGuid)}`);
    const registration = usable?.active ? usable : (reused ?? usable);
    if (!registration) {
      plan.made.push({ learnerKey: key, learnerId, applicationId, courseGuid });
      return;
    }
    if (!registration.active) plan.activated.push(registration.id);
    const holdsSeat = license || grant?.holdsSeat === true;
    const registrationId = registration.id;
    plan.granted.push({ learnerKey: key, courseGuid, registrationId, holdsSeat });
  }
}
