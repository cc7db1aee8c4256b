import { check, checkEqual, checkStatus, onlyRecordOf, recordOf } from '../checks.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { addLearners, invite, learnersOf, license, registrationsOf } from './invitation-calls.ts';

const add = (on: Installation, name: string, ...learners: string[]) =>
  addLearners(on, { name, learners, nodelay: 't', api_template: 'extended' });
const remove = (on: Installation, name: string, ...unlearners: string[]) =>
  addLearners(on, { name, unlearners, api_template: 'extended' });

const messagesOf = (answer: Readonly<Record<string, unknown>>) => answer['messages'] as string[];

/** The free seats that the invitation's custom text tells. */
async function freeSeats(on: Installation, name: string, course: string): Promise<unknown> {
  const record = onlyRecordOf(await on.api.get('/invitation.json', { ...on.realm, name }));
  const { license_data } = JSON.parse(String(record['custom'])) as {
    license_data: Record<string, { seats_available: number }>;
  };
  return license_data[course]?.seats_available;
}

const seatsOf = async (on: Installation, learners: readonly string[]) => {
  const held = await Promise.all(learners.map((learner) => registrationsOf(on, learner)));
  return held.map((registrations) => registrations.length);
};

/** Seats of licences, and invitations that take no changes (decision 25). */
export const licenseCases = [
  trial(
    'a learner takes a seat per course, and license_data tells what is left',
    ['decision 25', 'api-v2: Invitation record, custom', 'api-v2: Invitation record, license'],
    async (on) => {
      const course = await on.course();
      const { name } = await license(on, course, 3);
      recordOf(await add(on, name, on.learner(), on.learner()));
      checkEqual(await freeSeats(on, name, course), 1, 'seats_available');
    },
  ),

  trial(
    'with no seat free the learner is added without a registration, and messages say so',
    [
      'decision 25',
      'api-v2: Invitation: add_learners, messages',
      'api-v2: Invitation: add_learners, registration_guids',
    ],
    async (on) => {
      const course = await on.course();
      const [first, second] = [on.learner(), on.learner()];
      const { name } = await license(on, course, 1);
      checkEqual(messagesOf(recordOf(await add(on, name, first))), [], 'messages');
      const answer = recordOf(await add(on, name, second));
      check(messagesOf(answer).length > 0, 'there is no message');
      const record = answer['record'] as Record<string, unknown>;
      checkEqual(learnersOf(record), [first, second].toSorted(), 'learners');
      const guids = answer['registration_guids'] as Record<string, Record<string, unknown>>;
      check(!guids[second]?.[course], 'it tells of a registration');
      checkEqual(await seatsOf(on, [first, second]), [1, 0], 'the numbers of registrations');
    },
  ),

  trial('a learner who holds a seat takes no other', ['decision 25'], async (on) => {
    const course = await on.course();
    const learner = on.learner();
    const { name } = await license(on, course, 2);
    await add(on, name, learner);
    recordOf(await add(on, name, learner));
    checkEqual(await freeSeats(on, name, course), 1, 'seats_available');
  }),

  trial('a reused registration takes a seat too', ['decision 25'], async (on) => {
    const course = await on.course();
    const learner = on.learner();
    const existing = await on.register(course, learner);
    const flags = { avoid_duplicate_registrations: 't' };
    const { name } = await license(on, course, 2, flags);
    recordOf(await add(on, name, learner));
    const [held, another] = await registrationsOf(on, learner);
    checkEqual([held?.['registration_guid'], another], [existing, undefined], 'registrations');
    checkEqual(await freeSeats(on, name, course), 1, 'seats_available');
  }),

  trial(
    'avoid_duplicate_registrations says whether an existing registration is used',
    ['api-v2: Invitation record, avoid_duplicate_registrations'],
    async (on) => {
      const course = await on.course();
      const learner = on.learner();
      await on.register(course, learner);
      const { name } = await invite(on, [course], { avoid_duplicate_registrations: 'f' });
      recordOf(await add(on, name, learner));
      checkEqual(await seatsOf(on, [learner]), [2], 'the number of registrations');
    },
  ),

  trial(
    'removing a learner who never launched gives the seat back',
    ['decision 25'],
    async (on) => {
      const course = await on.course();
      const [first, second] = [on.learner(), on.learner()];
      const { name } = await license(on, course, 1);
      await add(on, name, first);
      recordOf(await remove(on, name, first));
      checkEqual(await freeSeats(on, name, course), 1, 'seats_available');
      recordOf(await add(on, name, second));
      checkEqual(await seatsOf(on, [first, second]), [0, 1], 'the numbers of registrations');
    },
  ),

  trial('after a launch the seat is used up', ['decision 25'], async (on) => {
    const course = await on.course();
    const [first, second] = [on.learner(), on.learner()];
    const { name } = await license(on, course, 1);
    await add(on, name, first);
    const [registration] = await registrationsOf(on, first);
    const path = `/registration/${String(registration?.['registration_guid'])}/launch_url.json`;
    checkStatus(await on.api.get(path, on.realm), 200);
    recordOf(await remove(on, name, first));
    checkEqual(await freeSeats(on, name, course), 0, 'seats_available');
    recordOf(await add(on, name, second));
    checkEqual(await seatsOf(on, [second]), [0], 'registrations of the next learner');
  }),

  trial('seats are never oversold, whatever runs at once', ['decision 25'], async (on) => {
    const course = await on.course();
    const { name } = await license(on, course, 3);
    const learners = Array.from({ length: 8 }, () => on.learner());
    const answers = await Promise.all(learners.map((learner) => add(on, name, learner)));
    for (const answer of answers) checkStatus(answer, 200);
    const held = (await seatsOf(on, learners)).reduce((sum, each) => sum + each, 0);
    checkEqual(held, 3, 'the number of registrations');
    checkEqual(await freeSeats(on, name, course), 0, 'seats_available');
    const record = onlyRecordOf(await on.api.get('/invitation.json', { ...on.realm, name }));
    checkEqual(learnersOf(record).length, 8, 'the number of learners');
  }),

  trial('seats are counted course by course', ['decision 25'], async (on) => {
    const [scarce, ample] = [await on.course(), await on.importCourse('ample')];
    const license_data = { [scarce]: { seats_available: 1 }, [ample]: { seats_available: 9 } };
    const custom = JSON.stringify({ license: true, license_data });
    const { name } = await invite(on, [scarce, ample], { license: 't', custom });
    const [first, second] = [on.learner(), on.learner()];
    recordOf(await add(on, name, first));
    recordOf(await add(on, name, second));
    checkEqual(await seatsOf(on, [first, second]), [2, 1], 'the numbers of registrations');
    const left = [await freeSeats(on, name, scarce), await freeSeats(on, name, ample)];
    checkEqual(left, [0, 7], 'seats_available');
  }),

  ...(
    [
      ['enabled', 'f', 'api-v2: Invitation record, enabled'],
      ['no_updates_allowed', 't', 'api-v2: Invitation record, no_updates_allowed'],
    ] as const
  ).map(([parameter, value, paragraph]) =>
    trial(
      `${parameter}=${value}: 200, nothing changes, and messages say why`,
      ['decision 25', paragraph],
      async (on) => {
        const course = await on.course();
        const learner = on.learner();
        const { name } = await invite(on, [course], { [parameter]: value });
        const answer = recordOf(await add(on, name, learner));
        check(messagesOf(answer).length > 0, 'there is no message');
        checkEqual((answer['record'] as Record<string, unknown>)['learners'], [], 'learners');
        checkEqual(await seatsOf(on, [learner]), [0], 'the number of registrations');
      },
    ),
  ),
];
