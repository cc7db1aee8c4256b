import { describe, expect, it } from '@jest/globals';
import { email } from '../enrolment.fixture.ts';
import { closedFeedback, delayFeedback, planFeedback } from './feedback.ts';
import { type Plan } from './plan-learners.ts';
import { Seats } from './seats.ts';

const sailing = { applicationId: 1, courseGuid: 'sailing', title: 'Sailing', available: true };
const rowing = { applicationId: 1, courseGuid: 'rowing', title: 'Rowing', available: true };
const ann = email('Ann@example.com');

describe('the messages of add_learners', () => {
  const nothing: Plan = {
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
  const seats = new Seats(new Map([['sailing', 0]]));
  const messages = (parts: Partial<Plan>, courses = [sailing]) => [
    ...planFeedback({ ...nothing, ...parts }, { courses, seats }),
  ];

  it('are none when everything was done', () => {
    expect(messages({ joining: [ann] })).toEqual([]);
  });

  it('say for which course there was no seat, and who goes without', () => {
    const learners = Array.from({ length: 12 }, (_, index) => email(`l${index}@example.com`));
    const without = learners.map((learnerId) => ({ learnerId, course: sailing }));
    expect(messages({ withoutSeat: [...without, { learnerId: ann, course: rowing }] })).toEqual([
      'No seat is free for the course "Sailing". In the invitation without a registration for ' +
        `it: ${learners.slice(0, 10).join(', ')} and 2 more.`,
      'The licence has no seats for the course "Rowing". In the invitation without a ' +
        'registration for it: Ann@example.com.',
    ]);
  });

  it('say what else was not done as one might expect', () => {
    expect(messages({ joining: [ann] }, [])).toEqual([
      expect.stringContaining('has no courses yet'),
    ]);
    const course = { ...sailing, available: false };
    expect(messages({ withoutCourse: [{ learnerId: ann, course }] })).toEqual([
      expect.stringContaining('"Sailing" was deleted'),
    ]);
    expect(messages({ notMembers: [ann], kept: [ann], seatsKept: [ann, ann] })).toEqual([
      'Not in the invitation, so not removed: Ann@example.com.',
      'Named to be added and to be removed, so kept: Ann@example.com.',
      'Removed, but their seats stay taken, because they have launched a course: Ann@example.com.',
    ]);
  });

  it('say why nothing was done at all', () => {
    const name = 'Spring';
    const open = { name, enabled: true, noUpdatesAllowed: false };
    expect(closedFeedback(open)).toBeNull();
    expect(closedFeedback({ ...open, enabled: false })).toContain('"Spring" is not enabled');
    expect(closedFeedback({ ...open, noUpdatesAllowed: true })).toContain('allows no changes');
  });

  it('say what the provider does not hold yet', () => {
    expect(delayFeedback(1, null)).toBe(
      'One registration is not ready at the course provider yet and will be soon.',
    );
    expect(delayFeedback(3, 'No.')).toBe(
      '3 registrations are not ready at the course provider yet and will be soon. It said: No.',
    );
  });
});
