import { check, checkEqual, checkStatus, onlyRecordOf, recordOf } from '../checks.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { addLearners, invite, learnersOf, license, registrationsOf } from './invitation-calls.ts';

const add = (target: Installation, name: string, ...learners: string[]) =>
  addLearners(target, { name, learners, nodelay: 't', api_template: 'extended' });
const remove = (target: Installation, name: string, ...unlearners: string[]) =>
  addLearners(target, { name, unlearners, api_template: 'extended' });

const messagesOf = (response: Readonly<Record<string, unknown>>) =>
  response['messages'] as string[];

/** The number of free seats in `license_data` of the invitation. */
async function freeSeats(target: Installation, name: string, course: string): Promise<unknown> {
  const record = onlyRecordOf(await target.api.get('/invitation.json', { ...target.realm, name }));
  const { license_data } = JSON.parse(String(record['custom'])) as {
    license_data: Record<string, { seats_available: number }>;
  };
  return license_data[course]?.seats_available;
}

const seatsOf = async (target: Installation, learners: readonly string[]) => {
  const held = await Promise.all(learners.map((learner) => registrationsOf(target, learner)));
  return held.map((registrations) => registrations.length);
};

/** Seats of licenses, and closed invitations (contract/invitations#seats). */
export const licenseCases = [
  transportCase(
    'a learner takes a seat, and license_data shows the free ones',
    [
      'contract/invitations#seat-taken',
      'contract/invitations#license-data',
      'contract/invitations#record-custom',
      'contract/invitations#record-license',
      'contract/invitations#create-license',
    ],
    async (target) => {
      const course = await target.course();
      const { name } = await license(target, course, 3);
      recordOf(await add(target, name, target.learner(), target.learner()));
      checkEqual(await freeSeats(target, name, course), 1, 'seats_available');
    },
  ),

  conformanceCase(
    'without a free seat the learner is added without a registration, and messages say so',
    [
      'contract/invitations#no-free-seat',
      'contract/invitations#messages',
      'contract/invitations#success-messages',
      'contract/invitations#add-registration-guids',
    ],
    async (target) => {
      const course = await target.course();
      const [first, second] = [target.learner(), target.learner()];
      const { name } = await license(target, course, 1);
      const [success, ...more] = messagesOf(recordOf(await add(target, name, first)));
      check(
        success?.startsWith('Success!') && success.includes(first),
        'there is no message for the learner added',
      );
      checkEqual(more, [], 'further messages');
      const response = recordOf(await add(target, name, second));
      const [shortfall, ...further] = messagesOf(response);
      check(
        shortfall?.includes(second) && !shortfall.startsWith('Success!'),
        'there is no message about the learner without a seat',
      );
      checkEqual(further, [], 'messages after that about the seat');
      const record = response['record'] as Record<string, unknown>;
      checkEqual(learnersOf(record), [first, second].toSorted(), 'learners');
      const guids = response['registration_guids'] as Record<string, Record<string, unknown>>;
      check(!guids[second]?.[course], 'it tells of a registration');
      checkEqual(await seatsOf(target, [first, second]), [1, 0], 'the numbers of registrations');
    },
  ),

  conformanceCase(
    'a license without a name gets a generated key as its name',
    ['contract/invitations#license-key', 'contract/invitations#create-name'],
    async (target) => {
      const create = (more: Record<string, string>) =>
        target.api.post('/invitation.json', { ...target.realm, ...more });
      const names = new Set<unknown>();
      for (const license of ['1', 't']) names.add(recordOf(await create({ license }), 201)['name']);
      checkEqual(names.size, 2, 'the number of different names');
      for (const name of names) check(String(name).length >= 20, `${String(name)} is short`);
      checkStatus(await create({}), 500);
    },
  ),

  conformanceCase(
    'license_data is merged into custom of a license, whose other keys are as they were sent',
    ['contract/invitations#create-license-data', 'contract/invitations#license-custom'],
    async (target) => {
      const course = await target.course();
      const license_data = { [course]: { seats_available: 2 } };
      const created = await target.api.post('/invitation.json', {
        ...target.realm,
        license: '1',
        course_guids: JSON.stringify([course]),
        custom: '{"order_id":7}',
        license_data: JSON.stringify(license_data),
      });
      const custom: unknown = JSON.parse(String(recordOf(created, 201)['custom']));
      checkEqual(custom, { order_id: 7, license_data }, 'custom');
    },
  ),

  conformanceCase(
    'a learner who holds a seat takes no second one',
    ['contract/invitations#seat-held-once'],
    async (target) => {
      const course = await target.course();
      const learner = target.learner();
      const { name } = await license(target, course, 2);
      await add(target, name, learner);
      recordOf(await add(target, name, learner));
      checkEqual(await freeSeats(target, name, course), 1, 'seats_available');
    },
  ),

  conformanceCase(
    'a reused registration takes a seat',
    [
      'contract/invitations#seat-of-reused-registration',
      'contract/invitations#create-avoid-duplicate-registrations',
    ],
    async (target) => {
      const course = await target.course();
      const learner = target.learner();
      const existing = await target.register(course, learner);
      const flags = { avoid_duplicate_registrations: 't' };
      const { name } = await license(target, course, 2, flags);
      recordOf(await add(target, name, learner));
      const [held, another] = await registrationsOf(target, learner);
      checkEqual([held?.['registration_guid'], another], [existing, undefined], 'registrations');
      checkEqual(await freeSeats(target, name, course), 1, 'seats_available');
    },
  ),

  conformanceCase(
    'without avoid_duplicate_registrations a learner gets another registration',
    [
      'contract/invitations#record-avoid-duplicate-registrations',
      'contract/invitations#create-avoid-duplicate-registrations',
    ],
    async (target) => {
      const course = await target.course();
      const learner = target.learner();
      await target.register(course, learner);
      const { name } = await invite(target, [course], { avoid_duplicate_registrations: 'f' });
      recordOf(await add(target, name, learner));
      checkEqual(await seatsOf(target, [learner]), [2], 'the number of registrations');
    },
  ),

  conformanceCase(
    'removing a learner who never launched returns the seat',
    ['contract/invitations#seat-returned'],
    async (target) => {
      const course = await target.course();
      const [first, second] = [target.learner(), target.learner()];
      const { name } = await license(target, course, 1);
      await add(target, name, first);
      recordOf(await remove(target, name, first));
      checkEqual(await freeSeats(target, name, course), 1, 'seats_available');
      recordOf(await add(target, name, second));
      checkEqual(await seatsOf(target, [first, second]), [0, 1], 'the numbers of registrations');
    },
  ),

  conformanceCase(
    'removing a learner who launched does not return the seat',
    ['contract/invitations#seat-used'],
    async (target) => {
      const course = await target.course();
      const [first, second] = [target.learner(), target.learner()];
      const { name } = await license(target, course, 1);
      await add(target, name, first);
      const [registration] = await registrationsOf(target, first);
      const path = `/registration/${String(registration?.['registration_guid'])}/launch_url.json`;
      checkStatus(await target.api.get(path, target.realm), 200);
      recordOf(await remove(target, name, first));
      checkEqual(await freeSeats(target, name, course), 0, 'seats_available');
      recordOf(await add(target, name, second));
      checkEqual(await seatsOf(target, [second]), [0], 'registrations of the next learner');
    },
  ),

  transportCase(
    'concurrent requests never sell a seat twice',
    ['contract/invitations#never-oversold'],
    async (target) => {
      const course = await target.course();
      const { name } = await license(target, course, 3);
      const learners = Array.from({ length: 8 }, () => target.learner());
      const responses = await Promise.all(learners.map((learner) => add(target, name, learner)));
      for (const response of responses) checkStatus(response, 200);
      const held = (await seatsOf(target, learners)).reduce((sum, each) => sum + each, 0);
      checkEqual(held, 3, 'the number of registrations');
      checkEqual(await freeSeats(target, name, course), 0, 'seats_available');
      const record = onlyRecordOf(
        await target.api.get('/invitation.json', { ...target.realm, name }),
      );
      checkEqual(learnersOf(record).length, 8, 'the number of learners');
    },
  ),

  conformanceCase(
    'seats are counted for each course',
    ['contract/invitations#seats-per-course'],
    async (target) => {
      const [scarce, ample] = [await target.course(), await target.importCourse('ample')];
      const license_data = { [scarce]: { seats_available: 1 }, [ample]: { seats_available: 9 } };
      const custom = JSON.stringify({ license: true, license_data });
      const { name } = await invite(target, [scarce, ample], { license: 't', custom });
      const [first, second] = [target.learner(), target.learner()];
      recordOf(await add(target, name, first));
      recordOf(await add(target, name, second));
      checkEqual(await seatsOf(target, [first, second]), [2, 1], 'the numbers of registrations');
      const left = [await freeSeats(target, name, scarce), await freeSeats(target, name, ample)];
      checkEqual(left, [0, 7], 'seats_available');
    },
  ),

  ...(
    [
      ['enabled', 'f', 'contract/invitations#create-enabled'],
      ['no_updates_allowed', 't', 'contract/invitations#create-no-updates-allowed'],
    ] as const
  ).map(([parameter, value, rule]) =>
    conformanceCase(
      `with ${parameter}=${value}, add_learners changes nothing and messages say why`,
      ['contract/invitations#closed-invitation', rule],
      async (target) => {
        const course = await target.course();
        const learner = target.learner();
        const { name } = await invite(target, [course], { [parameter]: value });
        const response = recordOf(await add(target, name, learner));
        check(messagesOf(response).length > 0, 'there is no message');
        checkEqual((response['record'] as Record<string, unknown>)['learners'], [], 'learners');
        checkEqual(await seatsOf(target, [learner]), [0], 'the number of registrations');
      },
    ),
  ),

  conformanceCase(
    'a course that license_data does not name has no seats',
    ['contract/invitations#no-seats-without-data', 'contract/invitations#no-free-seat'],
    async (target) => {
      const course = await target.course();
      const learner = target.learner();
      const custom = JSON.stringify({ license: true, license_data: {} });
      const { name } = await invite(target, [course], { license: 't', custom });
      check(messagesOf(recordOf(await add(target, name, learner))).length > 0, 'no message');
      checkEqual(await seatsOf(target, [learner]), [0], 'the number of registrations');
    },
  ),

  conformanceCase(
    'an update without license_data leaves the seats, and license_data replaces them',
    ['contract/invitations#license-data-update'],
    async (target) => {
      const course = await target.course();
      const { name, id } = await license(target, course, 3);
      const update = async (custom: unknown) =>
        recordOf(
          await target.api.put(`/invitation/${id}.json`, {
            ...target.realm,
            custom: JSON.stringify(custom),
          }),
        );
      await update({ order_id: '7' });
      checkEqual(await freeSeats(target, name, course), 3, 'seats_available without license_data');
      await update({ license_data: { [course]: { seats_available: 5 } } });
      checkEqual(await freeSeats(target, name, course), 5, 'seats_available of the new data');
      await update({ license_data: {} });
      recordOf(await add(target, name, target.learner()));
      check(!((await freeSeats(target, name, course)) ?? 0), 'seats of a course without data');
    },
  ),
];
