import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  onlyRecordOf,
  recordOf,
  valuesOf,
} from '../checks.ts';
import { trial } from '../conformance-case.ts';
import { parseCsv } from '../readers.ts';

const hours = 60 * 60_000;

/** How long a key lives: milliseconds. */
const lifetimeOf = (record: Readonly<Record<string, unknown>>) =>
  Date.parse(String(record['expires_at'])) - Date.parse(String(record['created_at']));

export const apiKeyCases = [
  ...(
    [
      ['POST', '/api_key', 'api-v2: API key: create, POST /api_key'],
      ['GET', '/api_key/gcreate', 'api-v2: API key: create, GET /api_key/gcreate'],
      ['GET', '/api_key/create', 'api-v2: API key: create, /api_key/create'],
      ['POST', '/api_key/create', 'api-v2: API key: create, /api_key/create'],
    ] as const
  ).map(([method, path, paragraph]) =>
    trial(
      `${method} ${path} makes a key that works`,
      [paragraph, 'api-v2: API key: create, 201', 'api-v2: Errors, 201', 'decision 15'],
      async (on) => {
        const made = await on.api.send(method, `${path}.json`, { query: on.realm });
        const api_key = String(recordOf(made, 201)['access_token']);
        checkStatus(await on.api.get('/course.json', { api_key, fields: 'id' }), 200);
      },
    ),
  ),

  trial(
    'the path without a suffix is answered as JSON',
    ['api-v2: API key: create, response', 'api-v2: Operation names, create'],
    async (on) => {
      recordOf(await on.api.post('/api_key', on.realm), 201);
    },
  ),

  trial('the answer comes in the other formats too', ['api-v2: General rules, 1'], async (on) => {
    const made = await on.api.post('/api_key.csv', on.realm);
    checkStatus(made, 201);
    const api_key = parseCsv(made.text)[0]?.['access_token'] ?? '';
    checkStatus(await on.api.get('/course.json', { api_key, fields: 'id' }), 200);
  }),

  trial(
    'either pair makes a key',
    ['api-v2: API key: create, access-mode pair', 'api-v2: Authentication, 3'],
    async (on) => {
      for (const pair of [on.realm, on.application]) {
        recordOf(await on.api.post('/api_key.json', pair), 201);
      }
    },
  ),

  trial(
    'a key makes no key, and neither does a wrong pair',
    ['api-v2: API key: create, 401', 'api-v2: API key: create, access-mode pair'],
    async (on) => {
      checkRefused(await on.api.post('/api_key.json', await on.realmKey()), 401);
      checkRefused(await on.api.post('/api_key.json', {}), 401);
      const wrong = { ...on.realm, realm_secret_key: 'wrong' };
      checkRefused(await on.api.get('/api_key/gcreate.json', wrong), 401);
    },
  ),

  trial(
    'a user_email that is no address is refused',
    ['api-v2: API key: create, 500', 'api-v2: Errors, 500'],
    async (on) => {
      for (const user_email of ['no address', 'a@', '@example.com', 'a b@example.com']) {
        checkRefused(await on.api.post('/api_key.json', { ...on.realm, user_email }), 500);
      }
    },
  ),

  trial(
    'user_email binds the key to that user, who becomes a user of the realm',
    ['api-v2: API key: create, user_email', 'api-v2: Authentication, 3'],
    async (on) => {
      const email = on.learner();
      const made = await on.api.post('/api_key.json', { ...on.realm, user_email: email });
      const { user_id } = recordOf(made, 201);
      check(Number.isInteger(user_id), 'user_id is no integer');
      const user = onlyRecordOf(await on.api.get('/realm_user.json', { ...on.realm, email }));
      checkEqual(user['user_id'], user_id, 'the user_id of the realm user');
    },
  ),

  trial(
    'two keys of one user name the same user',
    ['api-v2: API key: create, user_email'],
    async (on) => {
      const parameters = { ...on.application, user_email: on.learner() };
      const first = recordOf(await on.api.post('/api_key.json', parameters), 201);
      const second = recordOf(await on.api.post('/api_key.json', parameters), 201);
      checkEqual(second['user_id'], first['user_id'], 'user_id');
      check(first['access_token'] !== second['access_token'], 'both have the same token');
    },
  ),

  trial(
    'keys expire: after 24 hours with user_email, after 30 days without',
    ['api-v2: Authentication, 4', 'api-v2: Limits, keys expire', 'decision 15'],
    async (on) => {
      const bound = { ...on.realm, user_email: on.learner() };
      const short = recordOf(await on.api.post('/api_key.json', bound), 201);
      const long = recordOf(await on.api.post('/api_key.json', on.realm), 201);
      const near = (record: typeof short, expected: number) =>
        Math.abs(lifetimeOf(record) - expected) <= 2000;
      check(near(short, 24 * hours), `with user_email it lives ${lifetimeOf(short) / hours} hours`);
      check(near(long, 30 * 24 * hours), `without it lives ${lifetimeOf(long) / hours} hours`);
    },
  ),

  trial(
    'course_provider_id binds a key of a realm pair to that application',
    ['decision 15', 'decision 14'],
    async (on) => {
      const course_guid = await on.course();
      const course = onlyRecordOf(await on.api.get('/course.json', { ...on.realm, course_guid }));
      const course_provider_id = String(course['course_provider_id']);
      const made = await on.api.post('/api_key.json', { ...on.realm, course_provider_id });
      const record = recordOf(made, 201);
      checkEqual(String(record['course_provider_id']), course_provider_id, 'course_provider_id');
      const key = { api_key: String(record['access_token']) };
      const courses = await on.api.get('/course.json', { ...key, course_guid });
      checkEqual(valuesOf(courses, 'course_guid'), [course_guid], courses.request);
      checkRefused(await on.api.get('/realm_user.json', key), 401);
    },
  ),

  trial('a course_provider_id that the realm has not is not found', ['decision 15'], async (on) => {
    const unknown = { ...on.realm, course_provider_id: '2147483647' };
    checkRefused(await on.api.post('/api_key.json', unknown), 404);
  }),
];
