import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

/** Two learners with a registration each, and a key bound to the first one. */
const bound = (target: Installation) =>
  target.once('bound key', async () => {
    const course = await target.course();
    const [own, other] = [target.learner(), target.learner()];
    return {
      own,
      other,
      key: await target.userKey(own),
      ownRegistration: await target.register(course, own),
      otherRegistration: await target.register(course, other),
    };
  });

/** The reach of user-bound keys (contract/access#reach-user). */
export const userKeyCases = [
  transportCase(
    'a user-bound key sees the registrations of its user only',
    [
      'contract/access#user-key-own-registrations',
      'contract/access#reach-user',
      'contract/api-keys#create-bound',
    ],
    async (target) => {
      const { key, ownRegistration, otherRegistration } = await bound(target);
      const all = await target.api.get('/registration.json', key);
      checkEqual(valuesOf(all, 'registration_guid'), [ownRegistration], all.request);
      const other = await target.api.get('/registration.json', { ...key, id: otherRegistration });
      checkEqual(recordsOf(other), [], other.request);
    },
  ),

  conformanceCase(
    'a user-bound key gets 401 for another learner',
    ['contract/access#user-key-other-learner'],
    async (target) => {
      const { key, other } = await bound(target);
      checkError(await target.api.get('/registration.json', { ...key, learner_id: other }), 401);
    },
  ),

  conformanceCase(
    'a user-bound key reads courses and templates of the realm',
    [
      'contract/access#user-key-courses',
      'contract/access#user-key-templates',
      'contract/access#reach-user',
      'contract/templates#index-access',
    ],
    async (target) => {
      const { key } = await bound(target);
      const course_guid = await target.course();
      const courses = await target.api.get('/course.json', { ...key, course_guid });
      checkEqual(valuesOf(courses, 'course_guid'), [course_guid], courses.request);
      checkStatus(await target.api.get('/template.json', { ...key, fields: 'id' }), 200);
    },
  ),

  conformanceCase(
    'a user-bound key creates a registration for its user, named or not',
    ['contract/access#user-key-create', 'contract/registrations#create-learner-id'],
    async (target) => {
      const own = target.learner();
      const key = await target.userKey(own);
      const course_guid = await target.course();
      const unnamed = await target.api.post('/registration.json', { ...key, course_guid });
      checkEqual(recordOf(unnamed, 201)['learner_id'], own, 'learner_id');
      const named = await target.api.post('/registration.json', {
        ...key,
        course_guid,
        learner_id: own,
      });
      checkStatus(named, 201);
    },
  ),

  transportCase(
    'a user-bound key cannot create a registration for another learner',
    ['contract/access#user-key-other-learner'],
    async (target) => {
      const { key, other } = await bound(target);
      const course_guid = await target.course();
      const parameters = { ...key, course_guid, learner_id: other };
      checkError(await target.api.post('/registration.json', parameters), 401);
    },
  ),

  conformanceCase(
    'a user-bound key launches the registrations of its user only',
    ['contract/access#user-key-launch', 'contract/registrations#launch-404'],
    async (target) => {
      const { key, ownRegistration, otherRegistration } = await bound(target);
      checkStatus(
        await target.api.get(`/registration/${ownRegistration}/launch_url.json`, key),
        200,
      );
      checkError(
        await target.api.get(`/registration/${otherRegistration}/launch_url.json`, key),
        404,
      );
    },
  ),

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
    conformanceCase(
      `a user-bound key gets 401 on ${method} ${path}`,
      [
        'contract/access#user-key-administration',
        'contract/realm-users#realm-access-only',
        'contract/invitations#realm-access-only',
      ],
      async (target) => {
        const { key } = await bound(target);
        const by = path.startsWith('/invitation') ? { name: 'any' } : { email: target.learner() };
        const query =
          path.includes('/invitation.json') && method === 'GET' ? key : { ...key, ...by };
        checkError(await target.api.send(method, path, { query }), 401);
      },
    ),
  ),

  conformanceCase(
    'an unbound key sees the registrations of every learner',
    ['contract/api-keys#create-unbound'],
    async (target) => {
      const { own, other } = await bound(target);
      const key = await target.realmKey();
      for (const learner_id of [own, other]) {
        const found = await target.api.get('/registration.json', { ...key, learner_id });
        check(recordsOf(found).length > 0, `${found.request}: nothing found`);
      }
    },
  ),
];
