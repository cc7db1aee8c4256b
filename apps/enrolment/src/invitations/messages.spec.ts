import { describe, expect, it } from 'vitest';
import { email } from '../enrolment.fixture.ts';
import { absentMessages, closedMessage, memberMessages, planMessages } from './messages.ts';
import { type Plan } from './plan-learners.ts';

const sailing = { applicationId: 1, courseGuid: 'sailing', title: 'Sailing', available: true };
const rowing = { applicationId: 1, courseGuid: 'rowing', title: 'Rowing', available: true };
const ann = email('Ann@example.com');

describe('the messages of add_learners', () => {
  const emptyPlan: Plan = {
    joining: [],
    leaving: [],
    created: [],
    assigned: [],
    released: [],
    activated: [],
    deactivated: [],
    seatChanges: new Map(),
    withoutSeat: [],
    withoutCourse: [],
    notMembers: [],
    kept: [],
    seatsKept: [],
  };
  const freeSeats = new Map([['sailing', 0]]);
  const messages = (parts: Partial<Plan>, courses = [sailing]) => [
    ...planMessages({ ...emptyPlan, ...parts }, { courses, freeSeats, license: true }, 'Spring'),
  ];

  it('the messages of add_learners are none when nothing has changed', () => {
    expect(messages({})).toEqual([]);
  });

  it('the messages of add_learners name each member for whom nothing changes, for the clients of Bright', () => {
    const bob = email('bob@example.com');
    const carl = email('carl@example.com');
    const state = { license: true, members: new Set(['ann@example.com', 'bob@example.com']) };
    const named = (parts: Partial<Plan>) => [
      ...memberMessages([ann, bob, bob, carl], { ...emptyPlan, ...parts }, state, 'Spring'),
    ];
    const ofBob = 'bob@example.com is in the license "Spring" already.';
    expect(named({})).toEqual(['Ann@example.com is in the license "Spring" already.', ofBob]);
    const key = 'ann@example.com';
    const assigned = { learnerKey: key, courseGuid: 'rowing', registrationId: 1, holdsSeat: true };
    expect(named({ assigned: [assigned] })).toEqual([ofBob]);
    expect(named({ withoutSeat: [{ learnerId: ann, course: sailing }] })).toEqual([ofBob]);
  });

  it('the messages of add_learners name each learner who was added and got registrations, with their number', () => {
    const key = 'ann@example.com';
    const created = { learnerKey: key, learnerId: ann, applicationId: 1, courseGuid: 'sailing' };
    const assigned = { learnerKey: key, courseGuid: 'rowing', registrationId: 1, holdsSeat: true };
    const parts = { created: [created], assigned: [assigned] };
    const bob = email('bob@example.com');
    expect(messages({ ...parts, joining: [ann, bob] }, [sailing, rowing])).toEqual([
      'Success! Ann@example.com was added to the license "Spring": ' +
        'registrations for 2 of its 2 courses.',
    ]);
    expect(messages(parts, [sailing, rowing])).toEqual([
      'Success! ann@example.com has registrations for 2 more courses of the license "Spring".',
    ]);
  });

  it('the messages of add_learners name the courses without a free seat, and at most ten learners of each', () => {
    const learners = Array.from({ length: 12 }, (_, index) => email(`l${index}@example.com`));
    const without = learners.map((learnerId) => ({ learnerId, course: sailing }));
    expect(messages({ withoutSeat: [...without, { learnerId: ann, course: rowing }] })).toEqual([
      'No seat is free for the course "Sailing". In the invitation without a registration for ' +
        `it: ${learners.slice(0, 10).join(', ')} and 2 more.`,
      'The license has no seats for the course "Rowing". In the invitation without a ' +
        'registration for it: Ann@example.com.',
    ]);
  });

  it('the messages of add_learners report an invitation without courses, and deleted courses', () => {
    expect(messages({ joining: [ann] }, [])).toEqual([
      expect.stringContaining('has no courses yet'),
      'Success! Ann@example.com was added to the license "Spring": registrations for 0 of its 0 courses.',
    ]);
    const course = { ...sailing, available: false };
    expect(messages({ withoutCourse: [{ learnerId: ann, course }] })).toEqual([
      expect.stringContaining('"Sailing" was deleted'),
    ]);
  });

  it('the messages of add_learners name learners who were not removed, and those whose seats stay taken', () => {
    expect(messages({ notMembers: [ann], kept: [ann], seatsKept: [ann, ann] })).toEqual([
      'Not in the invitation, so not removed: Ann@example.com.',
      'Named to be added and to be removed, so kept: Ann@example.com.',
      'Removed, but their seats stay taken, because they have launched a course: Ann@example.com.',
    ]);
  });

  it('the messages of add_learners say why nothing changes in a closed invitation', () => {
    const name = 'Spring';
    const open = { name, enabled: true, noUpdatesAllowed: false };
    expect(closedMessage(open)).toBeNull();
    expect(closedMessage({ ...open, enabled: false })).toContain('"Spring" is not enabled');
    expect(closedMessage({ ...open, noUpdatesAllowed: true })).toContain('allows no changes');
  });

  it('the messages of add_learners name the learners whose registrations the provider does not hold, and give its reason', () => {
    const absent = (learnerKey: string, title: string, providerState = 'waiting') => ({
      learnerKey,
      title,
      providerState,
    });
    expect([
      ...absentMessages(
        [absent('a@b.c', 'One'), absent('d@e.f', 'One'), absent('a@b.c', 'Two')],
        'No.',
      ),
    ]).toEqual([
      'Not at the course provider yet for the course "One", and tried again until it is: ' +
        'a@b.c, d@e.f. It said: No.',
      'Not at the course provider yet for the course "Two", and tried again until it is: ' +
        'a@b.c. It said: No.',
    ]);
    expect([...absentMessages([absent('a@b.c', 'One', 'local')], null)]).toEqual([
      'Never created at the course provider, as requested, for the course "One": a@b.c.',
    ]);
    expect([...absentMessages([], 'No.')]).toEqual([]);
  });
});
