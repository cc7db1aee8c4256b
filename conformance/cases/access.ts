import { check, checkEqual, checkRefused, checkStatus, recordsOf, valuesOf } from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

const reading = ['/course.json', '/registration.json'] as const;

async function checkReads(on: Installation, access: Parameters): Promise<void> {
  for (const path of reading) checkStatus(await on.api.get(path, { ...access, fields: 'id' }), 200);
}

/** The access modes: which are given, and which are good. */
export const accessCases = [
  trial(
    'an API key gives access',
    ['api-v2: Authentication, API key', 'api-v2: Registration: index, access'],
    async (on) => checkReads(on, await on.realmKey()),
  ),

  trial(
    'a realm pair gives access',
    ['api-v2: Authentication, realm pair', 'api-v2: Registration: index, access'],
    async (on) => checkReads(on, on.realm),
  ),

  trial(
    'a provider application pair gives access, deprecated as it is',
    [
      'api-v2: Authentication, provider application pair',
      'api-v2: Versioning, provider pair',
      'api-v2: Registration: index, access',
    ],
    async (on) => checkReads(on, on.application),
  ),

  trial(
    'accessToken is a synonym of api_key',
    ['api-v2: Versioning, accessToken', 'api-v2: Authentication, API key', 'decision 12'],
    async (on) => {
      const { api_key = '' } = await on.realmKey();
      await checkReads(on, { accessToken: api_key });
      await checkReads(on, { accessToken: api_key, api_key });
    },
  ),

  trial('accessToken and api_key that differ give no access', ['decision 12'], async (on) => {
    const { api_key = '' } = await on.realmKey();
    const other = (await on.applicationKey())['api_key'] ?? '';
    checkRefused(await on.api.get('/course.json', { api_key, accessToken: other }), 401);
  }),

  trial(
    'no access mode is refused, and so is an empty one',
    [
      'api-v2: Authentication, 1',
      'api-v2: Errors, 401',
      'api-v2: General rules, 4',
      'api-v2: Course: index, 401',
      'api-v2: Registration: index, 401',
      'decision 12',
    ],
    async (on) => {
      for (const path of reading) {
        checkRefused(await on.api.get(path, {}), 401);
        checkRefused(await on.api.get(path, { api_key: '' }), 401);
        checkRefused(await on.api.get(path, { realm_guid: '', realm_secret_key: '' }), 401);
      }
    },
  ),

  trial('an incomplete access mode is refused', ['decision 12'], async (on) => {
    for (const pair of [on.realm, on.application]) {
      for (const [name, value] of Object.entries(pair)) {
        checkRefused(await on.api.get('/course.json', { [name]: value }), 401);
      }
    }
  }),

  trial(
    'a wrong secret or key is refused, and the answer does not say why',
    ['decision 12', 'api-v2: Authentication, 7', 'api-v2: Errors, empty body'],
    async (on) => {
      const wrong = [
        { ...on.realm, realm_secret_key: 'wrong' },
        { ...on.realm, realm_guid: 'unknown' },
        { ...on.application, sc_secret_key: 'wrong' },
        { ...on.application, sc_app_id: 'unknown' },
        { api_key: 'unknown' },
      ];
      for (const access of wrong) {
        checkRefused(await on.api.get('/course.json', access), 401);
      }
    },
  ),

  trial('the halves of two pairs make no access mode', ['decision 12'], async (on) => {
    const { realm_guid = '' } = on.realm;
    const { sc_secret_key = '' } = on.application;
    checkRefused(await on.api.get('/course.json', { realm_guid, sc_secret_key }), 501);
  }),

  trial(
    'more than one access mode is refused',
    ['api-v2: Authentication, 2', 'api-v2: Errors, 501', 'api-v2: General rules, 4', 'decision 12'],
    async (on) => {
      const key = await on.realmKey();
      for (const path of reading) {
        checkRefused(await on.api.get(path, { ...on.realm, ...on.application }), 501);
        checkRefused(await on.api.get(path, { ...on.realm, ...key }), 501);
        checkRefused(await on.api.get(path, { ...on.application, ...key }), 501);
      }
      checkRefused(await on.api.post('/api_key.json', { ...on.realm, ...on.application }), 501);
      const half = { ...key, realm_guid: on.facts.realm_guid };
      checkRefused(await on.api.get('/course.json', half), 501);
    },
  ),

  trial('an empty access mode beside another counts as not given', ['decision 12'], async (on) => {
    const empty = { ...on.realm, api_key: '', accessToken: '', sc_app_id: '', sc_secret_key: '' };
    await checkReads(on, empty);
  }),

  trial(
    'on registration create the provider pair may stand beside a key or a realm pair',
    ['decision 13', 'api-v2: Registration: create, api_key'],
    async (on) => {
      const course_guid = await on.course();
      for (const access of [await on.realmKey(), on.realm]) {
        for (const path of ['/registration.json', '/registration/gcreate.json'] as const) {
          const parameters = {
            ...access,
            ...on.application,
            course_guid,
            learner_id: on.learner(),
          };
          const answer = path.includes('gcreate')
            ? await on.api.get(path, parameters)
            : await on.api.post(path, parameters);
          checkStatus(answer, 201);
        }
      }
    },
  ),

  trial(
    'a key and a realm pair may not stand beside each other, even there',
    ['decision 13'],
    async (on) => {
      const parameters = { course_guid: await on.course(), learner_id: on.learner() };
      const both = { ...on.realm, ...(await on.realmKey()), ...parameters };
      checkRefused(await on.api.post('/registration.json', both), 501);
      checkRefused(await on.api.post('/registration.json', { ...both, ...on.application }), 501);
    },
  ),

  trial(
    'the provider pair beside another mode must be right',
    [
      'decision 13',
      'api-v2: Registration: create, 401',
      'api-v2: Registration: create, sc_app_id',
      'api-v2: Registration: create, sc_secret_key',
    ],
    async (on) => {
      const parameters = {
        ...(await on.realmKey()),
        course_guid: await on.course(),
        learner_id: on.learner(),
      };
      const { sc_app_id = '' } = on.application;
      for (const beside of [
        { sc_app_id, sc_secret_key: 'wrong' },
        { sc_app_id: 'unknown', sc_secret_key: 'wrong' },
        { sc_app_id },
      ]) {
        checkRefused(await on.api.post('/registration.json', { ...parameters, ...beside }), 401);
      }
    },
  ),

  trial(
    'without a provider pair the only application that holds the course is meant',
    ['decision 13'],
    async (on) => {
      const course_guid = await on.course();
      await on.register(course_guid);
      const learner_id = on.learner();
      const key = await on.realmKey();
      const answer = await on.api.post('/registration.json', { ...key, course_guid, learner_id });
      checkStatus(answer, 201);
    },
  ),

  trial(
    'the provider pair reaches its application’s courses and registrations',
    ['decision 14', 'api-v2: Authentication, provider application pair'],
    async (on) => {
      const course_guid = await on.course();
      const id = await on.register(course_guid);
      for (const access of [on.application, await on.applicationKey()]) {
        const courses = await on.api.get('/course.json', { ...access, course_guid });
        checkEqual(valuesOf(courses, 'course_guid'), [course_guid], courses.request);
        const registrations = await on.api.get('/registration.json', { ...access, id });
        checkEqual(valuesOf(registrations, 'registration_guid'), [id], registrations.request);
      }
    },
  ),

  ...(['/invitation.json', '/realm_user.json', '/template.json'] as const).map((path) =>
    trial(
      `the provider pair, and a key made from it, do not reach ${path}`,
      [
        'decision 14',
        'api-v2: Authentication, realm pair',
        'api-v2: Template, access',
        'api-v2: Template, 401',
      ],
      async (on) => {
        for (const access of [on.application, await on.applicationKey()]) {
          checkRefused(await on.api.get(path, access), 401);
        }
      },
    ),
  ),

  trial(
    'a key made from a realm pair reaches all of the realm',
    ['decision 14', 'api-v2: Authentication, 6', 'api-v2: Realm user, access'],
    async (on) => {
      const key = await on.realmKey();
      const email = on.learner();
      checkStatus(await on.api.post('/realm_user.json', { ...key, email }), 201);
      const custom = '{"group":"a"}';
      checkStatus(await on.api.get('/realm_user/gupdate.json', { ...key, email, custom }), 200);
      for (const path of ['/invitation.json', '/realm_user.json', '/template.json']) {
        checkStatus(await on.api.get(path, { ...key, fields: 'id' }), 200);
      }
    },
  ),

  trial(
    'GET /course_provider lists the applications in reach, without secrets',
    ['decision 28'],
    async (on) => {
      for (const access of [on.realm, on.application, await on.realmKey()]) {
        const answer = await on.api.get('/course_provider.json', access);
        const found = recordsOf(answer).find(
          (record) => record['sc_app_id'] === on.facts.sc_app_id,
        );
        check(found, `${answer.request}: the application is not listed`);
        check(Number.isInteger(found['id']), `${answer.request}: its id is no integer`);
        check(
          !answer.text.includes(on.facts.sc_secret_key),
          `${answer.request}: the secret is shown`,
        );
      }
      for (const format of ['xml', 'csv']) {
        checkStatus(await on.api.get(`/course_provider.${format}`, on.realm), 200);
      }
      checkRefused(await on.api.get('/course_provider.json', {}), 401);
    },
  ),
];
