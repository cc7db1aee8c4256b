import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

/** Two learners with a registration each, and a key that is bound to the first. */
const bound = (on: Installation) =>
  on.once('bound key', async () => {
    const course = await on.course();
    const [own, other] = [on.learner(), on.learner()];
    return {
      own,
      other,
      key: await on.userKey(own),
      ownRegistration: await on.register(course, own),
      otherRegistration: await on.register(course, other),
    };
  });

/** What a key reaches that is bound to a user. */
export const userKeyCases = [
  trial(
    'a key bound to a user reaches that user’s own registrations alone',
    ['decision 14', 'api-v2: Authentication, 3'],
    async (on) => {
      const { key, ownRegistration, otherRegistration } = await bound(on);
      const all = await on.api.get('/registration.json', key);
      checkEqual(valuesOf(all, 'registration_guid'), [ownRegistration], all.request);
      const other = await on.api.get('/registration.json', { ...key, id: otherRegistration });
      checkEqual(recordsOf(other), [], other.request);
    },
  ),

  trial('it gets 401 on another learner’s data', ['decision 14'], async (on) => {
    const { key, other } = await bound(on);
    checkRefused(await on.api.get('/registration.json', { ...key, learner_id: other }), 401);
  }),

  trial('it reaches the realm’s courses and templates', ['decision 14'], async (on) => {
    const { key } = await bound(on);
    const course_guid = await on.course();
    const courses = await on.api.get('/course.json', { ...key, course_guid });
    checkEqual(valuesOf(courses, 'course_guid'), [course_guid], courses.request);
    checkStatus(await on.api.get('/template.json', { ...key, fields: 'id' }), 200);
  }),

  trial(
    'it may create a registration for its user, unnamed or named',
    ['decision 14'],
    async (on) => {
      const own = on.learner();
      const key = await on.userKey(own);
      const course_guid = await on.course();
      const unnamed = await on.api.post('/registration.json', { ...key, course_guid });
      checkEqual(recordOf(unnamed, 201)['learner_id'], own, 'learner_id');
      const named = await on.api.post('/registration.json', {
        ...key,
        course_guid,
        learner_id: own,
      });
      checkStatus(named, 201);
    },
  ),

  trial('it may not create one for another learner', ['decision 14'], async (on) => {
    const { key, other } = await bound(on);
    const course_guid = await on.course();
    const parameters = { ...key, course_guid, learner_id: other };
    checkRefused(await on.api.post('/registration.json', parameters), 401);
  }),

  trial('it launches its own registrations alone', ['decision 14', 'decision 20'], async (on) => {
    const { key, ownRegistration, otherRegistration } = await bound(on);
    checkStatus(await on.api.get(`/registration/${ownRegistration}/launch_url.json`, key), 200);
    checkRefused(await on.api.get(`/registration/${otherRegistration}/launch_url.json`, key), 404);
  }),

  ...(
    [
      ['GET', '/invitation.json'],
      ['GET', '/realm_user.json'],
      ['GET', '/invitation/add_learners.json'],
      ['GET', '/invitation/gcreate.json'],
      ['GET', '/realm_user/gcreate.json'],
      ['GET', '/realm_user/gupdate.json'],
      ['POST', '/invitation.json'],
      ['POST', '/realm_user.json'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `it gets 401 on ${method} ${path}`,
      [
        'decision 14',
        'api-v2: Realm user, access',
        'api-v2: Invitation: add_learners, access',
        'api-v2: Invitation: add_learners, 401',
      ],
      async (on) => {
        const { key } = await bound(on);
        const by = path.startsWith('/invitation') ? { name: 'any' } : { email: on.learner() };
        const query =
          path.includes('/invitation.json') && method === 'GET' ? key : { ...key, ...by };
        checkRefused(await on.api.send(method, path, { query }), 401);
      },
    ),
  ),

  trial(
    'without user_email a key has no such bounds',
    ['api-v2: Authentication, 3'],
    async (on) => {
      const { own, other } = await bound(on);
      const key = await on.realmKey();
      for (const learner_id of [own, other]) {
        const found = await on.api.get('/registration.json', { ...key, learner_id });
        check(recordsOf(found).length > 0, `${found.request}: nothing found`);
      }
    },
  ),
];
