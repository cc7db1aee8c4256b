import { describe, expect, it } from '@jest/globals';
import { email } from '../enrolment.fixture.ts';
import {
  type Grant,
  type KnownRegistration,
  type Plan,
  planLearners,
  type Standing,
} from './plan-learners.ts';
import { Seats } from './seats.ts';

const sailing = { applicationId: 1, courseGuid: 'sailing', title: 'Sailing', available: true };
const rowing = { applicationId: 1, courseGuid: 'rowing', title: 'Rowing', available: true };
const [ann, bob] = [email('Ann@example.com'), email('bob@example.com')];
const annKey = 'ann@example.com';

const standing = (parts: Partial<Standing> = {}): Standing => ({
  courses: [sailing],
  members: new Set(),
  grants: [],
  registrations: [],
  avoidsDuplicates: false,
  license: false,
  seats: new Seats(new Map()),
  ...parts,
});
const licence = (free: number) => ({
  license: true,
  seats: new Seats(new Map([['sailing', free]])),
});
const grant = (parts: Partial<Grant> = {}): Grant => ({
  learnerKey: annKey,
  courseGuid: 'sailing',
  registrationId: 7,
  holdsSeat: true,
  ...parts,
});
const registration = (parts: Partial<KnownRegistration> = {}): KnownRegistration => ({
  id: 7,
  applicationId: 1,
  courseGuid: 'sailing',
  learnerKey: annKey,
  active: true,
  deleted: false,
  launched: false,
  sharedWithOther: false,
  ...parts,
});
/** What a plan does, without what it leaves empty. */
const plan = (learners: string[], unlearners: string[], given: Standing): Partial<Plan> => {
  const made = planLearners(
    { learners: learners.map(email), unlearners: unlearners.map(email) },
    given,
  );
  return Object.fromEntries(
    Object.entries(made).filter(([, list]: [string, unknown[]]) => list.length > 0),
  );
};
const madeFor = (learnerId = ann, course = sailing) => ({
  learnerKey: learnerId.toLowerCase(),
  learnerId,
  applicationId: 1,
  courseGuid: course.courseGuid,
});

describe('who is added to an invitation', () => {
  it('gets a registration for each of its courses, once, in whatever case they are written', () => {
    const given = standing({ courses: [sailing, rowing] });
    expect(plan([ann, annKey, 'ANN@example.com'], [], given)).toEqual({
      joining: [ann],
      made: [madeFor(), madeFor(ann, rowing)],
    });
  });

  it('gets nothing that they have through it already, and takes no second seat', () => {
    const given = standing({
      members: new Set([annKey]),
      grants: [grant()],
      registrations: [registration()],
      ...licence(1),
    });
    expect(plan([ann], [], given)).toEqual({});
    expect(given.seats.changes()).toEqual(new Map());
  });

  it('gets what is missing: for a course that was added, or when a seat has become free', () => {
    const given = standing({ courses: [sailing, rowing], members: new Set([annKey]) });
    const has = { grants: [grant()], registrations: [registration()] };
    expect(plan([ann], [], { ...given, ...has })).toEqual({ made: [madeFor(ann, rowing)] });
    expect(plan([ann], [], standing({ members: new Set([annKey]), ...licence(1) }))).toEqual({
      made: [madeFor()],
    });
  });

  it('joins without a registration when no seat is free, the first come served first', () => {
    const given = standing(licence(1));
    expect(plan([bob, ann], [], given)).toEqual({
      joining: [bob, ann],
      made: [madeFor(bob)],
      withoutSeat: [{ learnerId: ann, course: sailing }],
    });
    expect(given.seats.changes()).toEqual(new Map([['sailing', -1]]));
  });

  it('joins without a registration for a course that was deleted, and takes no seat for it', () => {
    const course = { ...sailing, available: false };
    const given = standing({ courses: [course], ...licence(1) });
    expect(plan([ann], [], given)).toEqual({
      joining: [ann],
      withoutCourse: [{ learnerId: ann, course }],
    });
    expect(given.seats.changes()).toEqual(new Map());
  });

  describe('when duplicates are avoided', () => {
    const avoidsDuplicates = true;

    it('gets the newest active registration of that course, and takes a seat for it', () => {
      const registrations = [registration({ id: 9 }), registration({ id: 8 })];
      const given = standing({ avoidsDuplicates, registrations, ...licence(1) });
      expect(plan([ann], [], given)).toEqual({
        joining: [ann],
        granted: [grant({ registrationId: 9 })],
      });
      expect(given.seats.changes()).toEqual(new Map([['sailing', -1]]));
    });

    it('gets it only with a seat', () => {
      const registrations = [registration()];
      const given = standing({ avoidsDuplicates, registrations, ...licence(0) });
      expect(plan([ann], [], given).granted).toBeUndefined();
    });

    it.each([{ active: false }, { deleted: true }, { applicationId: 2 }, { courseGuid: 'rowing' }])(
      'gets a new one instead of one with %j',
      (parts) => {
        const registrations = [registration(parts)];
        expect(plan([ann], [], standing({ avoidsDuplicates, registrations })).made).toEqual([
          madeFor(),
        ]);
      },
    );
  });

  it('gets a new one beside an existing one when duplicates are not avoided', () => {
    expect(plan([ann], [], standing({ registrations: [registration()] })).made).toHaveLength(1);
  });
});

describe('who leaves an invitation', () => {
  const members = new Set([annKey]);

  it('loses the registrations, and gives back the seats of what was never launched', () => {
    const given = standing({
      courses: [],
      members,
      grants: [grant(), grant({ courseGuid: 'rowing', registrationId: 8 })],
      registrations: [
        registration(),
        registration({ id: 8, courseGuid: 'rowing', launched: true }),
      ],
      license: true,
      seats: new Seats(
        new Map([
          ['sailing', 0],
          ['rowing', 0],
        ]),
      ),
    });
    expect(plan([], [ann], given)).toEqual({
      leaving: [annKey],
      deactivated: [7, 8],
      released: [{ learnerKey: annKey, courseGuid: 'sailing' }],
      seatsKept: [annKey],
    });
    expect(given.seats.changes()).toEqual(new Map([['sailing', 1]]));
  });

  it('gives back no seat that was not taken', () => {
    const grants = [grant({ holdsSeat: false })];
    const given = standing({ members, grants, registrations: [registration()], ...licence(1) });
    expect(plan([], [ann], given)).toEqual({ leaving: [annKey], deactivated: [7] });
    expect(given.seats.changes()).toEqual(new Map());
  });

  it('keeps a registration that another invitation has given too', () => {
    const registrations = [registration({ sharedWithOther: true })];
    const given = standing({ members, grants: [grant()], registrations, ...licence(0) });
    expect(plan([], [ann], given)).toEqual({
      leaving: [annKey],
      released: [{ learnerKey: annKey, courseGuid: 'sailing' }],
    });
  });

  it('makes room in the same call', () => {
    const given = standing({
      members,
      grants: [grant()],
      registrations: [registration()],
      ...licence(0),
    });
    expect(plan([bob], [ann], given)).toMatchObject({ made: [madeFor(bob)], deactivated: [7] });
    expect(given.seats.changes()).toEqual(new Map());
  });

  it('stays when named to be added too, and is passed over when not in it', () => {
    const given = standing({ members, grants: [grant()], registrations: [registration()] });
    expect(plan([ann], [annKey, bob], given)).toEqual({ kept: [annKey], notMembers: [bob] });
  });
});

describe('who comes back to an invitation', () => {
  const back = (parts: Partial<KnownRegistration>, holdsSeat: boolean, rest: Partial<Standing>) => {
    const grants = [grant({ holdsSeat })];
    const given = standing({ grants, registrations: [registration(parts)], ...rest });
    return { ...plan([ann], [], given), seats: Object.fromEntries(given.seats.changes()) };
  };

  it('goes on in the same registration, and takes a seat anew', () => {
    expect(back({ active: false }, false, licence(1))).toEqual({
      joining: [ann],
      activated: [7],
      granted: [grant()],
      seats: { sailing: -1 },
    });
    expect(back({ active: false }, false, licence(0))).toMatchObject({
      withoutSeat: [{ learnerId: ann, course: sailing }],
    });
  });

  it('needs no seat when the one of before was kept', () => {
    const launched = { active: false, launched: true };
    expect(back(launched, true, licence(0))).toMatchObject({ activated: [7], seats: {} });
  });

  it('gets a new registration in place of one that was deleted, in the same seat', () => {
    const deleted = { deleted: true, launched: true };
    const members = new Set([annKey]);
    expect(back(deleted, true, { members, ...licence(0) })).toEqual({
      made: [madeFor()],
      seats: {},
    });
  });

  it('gets the active one when duplicates are avoided', () => {
    const registrations = [registration({ active: false }), registration({ id: 8 })];
    const given = standing({ grants: [grant()], registrations, avoidsDuplicates: true });
    expect(plan([ann], [], given)).toEqual({
      joining: [ann],
      granted: [grant({ registrationId: 8 })],
    });
  });
});
