import { describe, expect, it } from 'vitest';
import { email } from '../enrolment.fixture.ts';
import {
  type Assignment,
  type ExistingRegistration,
  type InvitationState,
  type Plan,
  planLearners,
} from './plan-learners.ts';

const sailing = { applicationId: 1, courseGuid: 'sailing', title: 'Sailing', available: true };
const rowing = { applicationId: 1, courseGuid: 'rowing', title: 'Rowing', available: true };
const [ann, bob] = [email('Ann@example.com'), email('bob@example.com')];
const annKey = 'ann@example.com';

const stateOf = (parts: Partial<InvitationState> = {}): InvitationState => ({
  courses: [sailing],
  members: new Set(),
  assignments: [],
  registrations: [],
  avoidsDuplicates: false,
  license: false,
  freeSeats: new Map(),
  ...parts,
});
const licenseWith = (free: number) => ({
  license: true,
  freeSeats: new Map([['sailing', free]]),
});
const assignment = (parts: Partial<Assignment> = {}): Assignment => ({
  learnerKey: annKey,
  courseGuid: 'sailing',
  registrationId: 7,
  holdsSeat: true,
  ...parts,
});
const registration = (parts: Partial<ExistingRegistration> = {}): ExistingRegistration => ({
  id: 7,
  applicationId: 1,
  courseGuid: 'sailing',
  learnerKey: annKey,
  active: true,
  deleted: false,
  launched: false,
  shared: false,
  ...parts,
});
/** Returns the parts of a plan that are not empty; `seatChanges` as an object. */
const plan = (learners: string[], unlearners: string[], state: InvitationState) => {
  const { seatChanges, ...lists } = planLearners(
    { learners: learners.map(email), unlearners: unlearners.map(email) },
    state,
  );
  const parts: Partial<Omit<Plan, 'seatChanges'>> & { seatChanges?: Record<string, number> } =
    Object.fromEntries(
      Object.entries(lists).filter(([, list]: [string, readonly unknown[]]) => list.length > 0),
    );
  return {
    ...parts,
    ...(seatChanges.size > 0 && { seatChanges: Object.fromEntries(seatChanges) }),
  };
};
const createdFor = (learnerId = ann, course = sailing) => ({
  learnerKey: learnerId.toLowerCase(),
  learnerId,
  applicationId: 1,
  courseGuid: course.courseGuid,
});

describe('an added learner', () => {
  it('gets one registration per course, in whatever case the address is repeated', () => {
    const state = stateOf({ courses: [sailing, rowing] });
    expect(plan([ann, annKey, 'ANN@example.com'], [], state)).toEqual({
      joining: [ann],
      created: [createdFor(), createdFor(ann, rowing)],
    });
  });

  it('who has the registration already gets no other one and takes no second seat', () => {
    const state = stateOf({
      members: new Set([annKey]),
      assignments: [assignment()],
      registrations: [registration()],
      ...licenseWith(1),
    });
    expect(plan([ann], [], state)).toEqual({});
  });

  it('who is a member gets the registration for a course that was added', () => {
    const state = stateOf({
      courses: [sailing, rowing],
      members: new Set([annKey]),
      assignments: [assignment()],
      registrations: [registration()],
    });
    expect(plan([ann], [], state)).toEqual({ created: [createdFor(ann, rowing)] });
  });

  it('who is a member without a seat gets a seat that has become free', () => {
    const state = stateOf({ members: new Set([annKey]), ...licenseWith(1) });
    expect(plan([ann], [], state)).toEqual({
      created: [createdFor()],
      seatChanges: { sailing: -1 },
    });
  });

  it('joins without a registration when no seat is free; seats go by the order of the request', () => {
    expect(plan([bob, ann], [], stateOf(licenseWith(1)))).toEqual({
      joining: [bob, ann],
      created: [createdFor(bob)],
      withoutSeat: [{ learnerId: ann, course: sailing }],
      seatChanges: { sailing: -1 },
    });
  });

  it('joins without a registration for a deleted course, and takes no seat of it', () => {
    const course = { ...sailing, available: false };
    const state = stateOf({ courses: [course], ...licenseWith(1) });
    expect(plan([ann], [], state)).toEqual({
      joining: [ann],
      withoutCourse: [{ learnerId: ann, course }],
    });
  });

  it('gets a new registration beside an existing one unless duplicates are avoided', () => {
    const state = stateOf({ registrations: [registration()] });
    expect(plan([ann], [], state).created).toHaveLength(1);
  });

  describe('of an invitation that avoids duplicates', () => {
    const avoidsDuplicates = true;

    it('gets the newest active registration for the course, which takes a seat', () => {
      const registrations = [registration({ id: 9 }), registration({ id: 8 })];
      const state = stateOf({ avoidsDuplicates, registrations, ...licenseWith(1) });
      expect(plan([ann], [], state)).toEqual({
        joining: [ann],
        assigned: [assignment({ registrationId: 9 })],
        seatChanges: { sailing: -1 },
      });
    });

    it('an added learner of an invitation that avoids duplicates does not get the existing registration without a free seat', () => {
      const registrations = [registration()];
      const state = stateOf({ avoidsDuplicates, registrations, ...licenseWith(0) });
      expect(plan([ann], [], state).assigned).toBeUndefined();
    });

    it.each([{ active: false }, { deleted: true }, { applicationId: 2 }, { courseGuid: 'rowing' }])(
      'gets a new registration instead of an existing one with %j',
      (parts) => {
        const registrations = [registration(parts)];
        expect(plan([ann], [], stateOf({ avoidsDuplicates, registrations })).created).toEqual([
          createdFor(),
        ]);
      },
    );
  });
});

describe('a removed learner', () => {
  const members = new Set([annKey]);

  it('loses all registrations, and returns the seats of those never launched', () => {
    const state = stateOf({
      courses: [],
      members,
      assignments: [assignment(), assignment({ courseGuid: 'rowing', registrationId: 8 })],
      registrations: [
        registration(),
        registration({ id: 8, courseGuid: 'rowing', launched: true }),
      ],
      license: true,
      freeSeats: new Map([
        ['sailing', 0],
        ['rowing', 0],
      ]),
    });
    expect(plan([], [ann], state)).toEqual({
      leaving: [annKey],
      deactivated: [7, 8],
      released: [{ learnerKey: annKey, courseGuid: 'sailing' }],
      seatsKept: [annKey],
      seatChanges: { sailing: 1 },
    });
  });

  it('removing a learner without a seat returns none', () => {
    const assignments = [assignment({ holdsSeat: false })];
    const registrations = [registration()];
    const state = stateOf({ members, assignments, registrations, ...licenseWith(1) });
    expect(plan([], [ann], state)).toEqual({ leaving: [annKey], deactivated: [7] });
  });

  it('keeps a registration active that another invitation shares', () => {
    const registrations = [registration({ shared: true })];
    const state = stateOf({
      members,
      assignments: [assignment()],
      registrations,
      ...licenseWith(0),
    });
    expect(plan([], [ann], state)).toEqual({
      leaving: [annKey],
      released: [{ learnerKey: annKey, courseGuid: 'sailing' }],
      seatChanges: { sailing: 1 },
    });
  });

  it('returns the seat to a learner who is added in the same request', () => {
    const state = stateOf({
      members,
      assignments: [assignment()],
      registrations: [registration()],
      ...licenseWith(0),
    });
    const both = plan([bob], [ann], state);
    expect(both).toMatchObject({ created: [createdFor(bob)], deactivated: [7] });
    expect(both.seatChanges).toBeUndefined();
  });

  it('stays if added in the same request, and is reported if not in the invitation', () => {
    const state = stateOf({
      members,
      assignments: [assignment()],
      registrations: [registration()],
    });
    expect(plan([ann], [annKey, bob], state)).toEqual({ kept: [annKey], notMembers: [bob] });
  });
});

describe('a learner who is added again after a removal', () => {
  const readd = (
    parts: Partial<ExistingRegistration>,
    holdsSeat: boolean,
    rest: Partial<InvitationState>,
  ) => {
    const assignments = [assignment({ holdsSeat })];
    return plan([ann], [], stateOf({ assignments, registrations: [registration(parts)], ...rest }));
  };

  it('gets the former registration back and takes a seat again', () => {
    expect(readd({ active: false }, false, licenseWith(1))).toEqual({
      joining: [ann],
      activated: [7],
      assigned: [assignment()],
      seatChanges: { sailing: -1 },
    });
  });

  it('gets no registration when no seat is free', () => {
    expect(readd({ active: false }, false, licenseWith(0))).toMatchObject({
      withoutSeat: [{ learnerId: ann, course: sailing }],
    });
  });

  it('needs no free seat if the former one was kept', () => {
    const launched = { active: false, launched: true };
    const readded = readd(launched, true, licenseWith(0));
    expect(readded).toMatchObject({ activated: [7] });
    expect(readded.seatChanges).toBeUndefined();
  });

  it('gets a new registration in the same seat if the former one was deleted', () => {
    const deleted = { deleted: true, launched: true };
    const members = new Set([annKey]);
    expect(readd(deleted, true, { members, ...licenseWith(0) })).toEqual({
      created: [createdFor()],
    });
  });

  it('gets an active registration if duplicates are avoided', () => {
    const registrations = [registration({ active: false }), registration({ id: 8 })];
    const state = stateOf({ assignments: [assignment()], registrations, avoidsDuplicates: true });
    expect(plan([ann], [], state)).toEqual({
      joining: [ann],
      assigned: [assignment({ registrationId: 8 })],
    });
  });
});
