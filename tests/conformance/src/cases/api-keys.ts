import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  onlyRecordOf,
  recordOf,
  valuesOf,
} from '../checks.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { parseCsv } from '../readers.ts';

const hourMs = 60 * 60_000;

/** The lifetime of a key, in milliseconds. */
const lifetimeMsOf = (record: Readonly<Record<string, unknown>>) =>
  Date.parse(String(record['expires_at'])) - Date.parse(String(record['created_at']));

export const apiKeyCases = [
  ...(
    [
      ['POST', '/api_key', 'contract/api-keys#create-post'],
      ['GET', '/api_key/gcreate', 'contract/api-keys#create-gcreate'],
      ['GET', '/api_key/create', 'contract/api-keys#create-path'],
      ['POST', '/api_key/create', 'contract/api-keys#create-path'],
    ] as const
  ).map(([method, path, rule]) =>
    transportCase(
      `${method} ${path} creates a working key`,
      [rule, 'contract/api-keys#create-response', 'contract/errors#status-201'],
      async (target) => {
        const created = await target.api.send(method, `${path}.json`, { query: target.realm });
        const api_key = String(recordOf(created, 201)['access_token']);
        checkStatus(await target.api.get('/course.json', { api_key, fields: 'id' }), 200);
      },
    ),
  ),

  transportCase(
    'api_key renew starts the lifetime of the key of the request again',
    [
      'contract/api-keys#renew-routes',
      'contract/api-keys#renew-response',
      'contract/api-keys#renew-access',
    ],
    async (target) => {
      for (const user_email of [undefined, target.learner()]) {
        const query = { ...target.realm, user_email };
        const created = recordOf(await target.api.post('/api_key.json', query), 201);
        const api_key = String(created['access_token']);
        for (const method of ['GET', 'POST'] as const) {
          const response = await target.api.send(method, '/api_key/renew.json', {
            query: { api_key },
          });
          const { updated_at, expires_at, ...renewed } = recordOf(response);
          const { updated_at: _, expires_at: before, ...unchanged } = created;
          checkEqual(renewed, unchanged, 'all other fields');
          check(String(expires_at) >= String(before), 'the key expires earlier');
          checkEqual(
            Date.parse(String(expires_at)) - Date.parse(String(updated_at)),
            lifetimeMsOf(created),
            'the lifetime',
          );
        }
        checkStatus(await target.api.get('/course.json', { api_key, fields: 'id' }), 200);
      }
      for (const access of [target.realm, target.application, { api_key: 'none' }, {}]) {
        checkError(await target.api.post('/api_key/renew.json', access), 401);
      }
    },
  ),

  conformanceCase(
    'POST /api_key without a suffix returns a JSON record',
    [
      'contract/api-keys#create-response',
      'contract/api-keys#record-access-token',
      'contract/formats#operation-create',
    ],
    async (target) => {
      recordOf(await target.api.post('/api_key', target.realm), 201);
    },
  ),

  conformanceCase(
    'POST /api_key.csv returns the key in CSV',
    ['contract/formats#suffix'],
    async (target) => {
      const created = await target.api.post('/api_key.csv', target.realm);
      checkStatus(created, 201);
      const api_key = parseCsv(created.text)[0]?.['access_token'] ?? '';
      checkStatus(await target.api.get('/course.json', { api_key, fields: 'id' }), 200);
    },
  ),

  conformanceCase(
    'a realm pair and a provider pair create a key',
    ['contract/api-keys#create-access', 'contract/api-keys#create-unbound'],
    async (target) => {
      for (const pair of [target.realm, target.application]) {
        recordOf(await target.api.post('/api_key.json', pair), 201);
      }
    },
  ),

  conformanceCase(
    'an API key, no access and a wrong pair return 401',
    ['contract/api-keys#create-access', 'contract/errors#status-401'],
    async (target) => {
      checkError(await target.api.post('/api_key.json', await target.realmKey()), 401);
      checkError(await target.api.post('/api_key.json', {}), 401);
      const wrong = { ...target.realm, realm_secret_key: 'wrong' };
      checkError(await target.api.get('/api_key/gcreate.json', wrong), 401);
    },
  ),

  conformanceCase(
    'an invalid user_email returns 500',
    ['contract/api-keys#create-invalid-email', 'contract/errors#status-500'],
    async (target) => {
      for (const user_email of ['no address', 'a@', '@example.com', 'a b@example.com']) {
        checkError(await target.api.post('/api_key.json', { ...target.realm, user_email }), 500);
      }
    },
  ),

  conformanceCase(
    'user_email binds the key to that user, who becomes a realm user',
    [
      'contract/api-keys#create-user-email',
      'contract/api-keys#create-bound',
      'contract/realm-users#implicit-creation',
    ],
    async (target) => {
      const email = target.learner();
      const created = await target.api.post('/api_key.json', {
        ...target.realm,
        user_email: email,
      });
      const { user_id } = recordOf(created, 201);
      check(Number.isInteger(user_id), 'user_id is no integer');
      const user = onlyRecordOf(
        await target.api.get('/realm_user.json', { ...target.realm, email }),
      );
      checkEqual(user['user_id'], user_id, 'the user_id of the realm user');
    },
  ),

  conformanceCase(
    'the token of a user-bound key begins with rgu_, that of any other with rgk_',
    ['contract/api-keys#token-prefix'],
    async (target) => {
      const bound = { ...target.realm, user_email: target.learner() };
      for (const [parameters, prefix] of [
        [bound, 'rgu_'],
        [target.realm, 'rgk_'],
        [target.application, 'rgk_'],
      ] as const) {
        const record = recordOf(await target.api.post('/api_key.json', parameters), 201);
        checkEqual(String(record['access_token']).slice(0, 4), prefix, 'the prefix');
      }
    },
  ),

  conformanceCase(
    'two keys of one user have the same user_id',
    ['contract/api-keys#create-user-email'],
    async (target) => {
      const parameters = { ...target.application, user_email: target.learner() };
      const first = recordOf(await target.api.post('/api_key.json', parameters), 201);
      const second = recordOf(await target.api.post('/api_key.json', parameters), 201);
      checkEqual(second['user_id'], first['user_id'], 'user_id');
      check(first['access_token'] !== second['access_token'], 'both have the same token');
    },
  ),

  conformanceCase(
    'a key expires after 24 hours with user_email, after 30 days without',
    ['contract/api-keys#expiry', 'contract/api-keys#lifetime'],
    async (target) => {
      const bound = { ...target.realm, user_email: target.learner() };
      const short = recordOf(await target.api.post('/api_key.json', bound), 201);
      const long = recordOf(await target.api.post('/api_key.json', target.realm), 201);
      const near = (record: typeof short, expected: number) =>
        Math.abs(lifetimeMsOf(record) - expected) <= 2000;
      check(
        near(short, 24 * hourMs),
        `with user_email the lifetime is ${lifetimeMsOf(short) / hourMs} hours`,
      );
      check(
        near(long, 30 * 24 * hourMs),
        `without it, the lifetime is ${lifetimeMsOf(long) / hourMs} hours`,
      );
    },
  ),

  conformanceCase(
    'course_provider_id limits a key of a realm pair to that application',
    [
      'contract/api-keys#create-course-provider-id',
      'contract/access#reach-of-keys',
      'contract/access#reach-provider',
    ],
    async (target) => {
      const course_guid = await target.course();
      const course = onlyRecordOf(
        await target.api.get('/course.json', { ...target.realm, course_guid }),
      );
      const course_provider_id = String(course['course_provider_id']);
      const created = await target.api.post('/api_key.json', {
        ...target.realm,
        course_provider_id,
      });
      const record = recordOf(created, 201);
      checkEqual(String(record['course_provider_id']), course_provider_id, 'course_provider_id');
      const key = { api_key: String(record['access_token']) };
      const courses = await target.api.get('/course.json', { ...key, course_guid });
      checkEqual(valuesOf(courses, 'course_guid'), [course_guid], courses.request);
      checkError(await target.api.get('/realm_user.json', key), 401);
    },
  ),

  conformanceCase(
    'a course_provider_id that the realm does not have returns 404',
    ['contract/api-keys#create-unknown-provider'],
    async (target) => {
      const unknown = { ...target.realm, course_provider_id: '2147483647' };
      checkError(await target.api.post('/api_key.json', unknown), 404);
    },
  ),

  ...(
    [
      ['read', 'contract/api-keys#permission-read'],
      ['write', 'contract/api-keys#permission-write'],
      ['launch', 'contract/api-keys#permission-launch'],
    ] as const
  ).map(([permissions, rule]) =>
    conformanceCase(
      `a key with the permission ${permissions} does nothing else, except for renewing and deleting itself`,
      [
        rule,
        'contract/access#reach-permissions',
        'contract/api-keys#create-permissions',
        'contract/api-keys#permission-missing',
        'contract/api-keys#permission-own-key',
      ],
      async (target) => {
        const learner = target.learner();
        const registration = await target.register(await target.course(), learner);
        const query = { ...target.realm, user_email: learner, permissions };
        const created = recordOf(await target.api.post('/api_key.json', query), 201);
        const key = { api_key: String(created['access_token']) };
        const path = `/registration/${registration}`;
        const changed = { ...key, custom: '{"changed":true}' };
        for (const [needed, response] of [
          ['read', await target.api.get('/registration.json', key)],
          ['read', await target.api.get(`${path}.json`, key)],
          ['write', await target.api.get(`/registration/gupdate/${registration}.json`, changed)],
          ['launch', await target.api.get(`${path}/launch_url.json`, key)],
        ] as const) {
          if (needed === permissions) checkStatus(response, 200);
          else checkError(response, 401);
        }
        // 401 precedes the 500 of an unknown parameter.
        const other = permissions === 'read' ? `${path}/launch_url.json` : '/registration.json';
        checkError(await target.api.get(other, { ...key, unknown: '1' }), 401);
        checkStatus(await target.api.post('/api_key/renew.json', key), 200);
        checkStatus(await target.api.send('DELETE', '/api_key.json', { query: key }), 200);
      },
    ),
  ),

  conformanceCase(
    'permissions can be combined, and any other word returns 500',
    ['contract/api-keys#create-permissions', 'contract/api-keys#permission-pairs'],
    async (target) => {
      const query = { ...target.realm, permissions: 'read,launch' };
      const created = recordOf(await target.api.post('/api_key.json', query), 201);
      const key = { api_key: String(created['access_token']) };
      checkStatus(await target.api.get('/course.json', { ...key, fields: 'id' }), 200);
      const user = { email: target.learner() };
      checkError(await target.api.post('/realm_user.json', { ...key, ...user }), 401);
      checkStatus(await target.api.post('/realm_user.json', { ...target.realm, ...user }), 201);
      for (const permissions of ['', 'all', 'read,', 'read launch']) {
        checkError(await target.api.post('/api_key.json', { ...target.realm, permissions }), 500);
      }
    },
  ),

  conformanceCase(
    'a key that may not write deletes no other key of its realm',
    ['contract/api-keys#delete-access', 'contract/api-keys#permission-write'],
    async (target) => {
      const query = { ...target.realm, permissions: 'read,launch' };
      const reader = recordOf(await target.api.post('/api_key.json', query), 201);
      const other = recordOf(await target.api.post('/api_key.json', target.realm), 201);
      const path = `/api_key/${String(other['id'])}.json`;
      const access = { api_key: String(reader['access_token']) };
      checkError(await target.api.send('DELETE', path, { query: access }), 401);
    },
  ),

  conformanceCase(
    'lifetime_hours shortens the lifetime of a key and of its renewals, and never extends it',
    ['contract/api-keys#create-lifetime-hours'],
    async (target) => {
      for (const [lifetime_hours, hours] of [
        ['3', 3],
        ['999999', 30 * 24],
      ] as const) {
        const query = { ...target.realm, lifetime_hours };
        const created = recordOf(await target.api.post('/api_key.json', query), 201);
        checkEqual(lifetimeMsOf(created), hours * hourMs, 'the lifetime');
        const api_key = String(created['access_token']);
        const renewed = recordOf(await target.api.post('/api_key/renew.json', { api_key }));
        const { expires_at, updated_at } = renewed;
        const renewedFor = Date.parse(String(expires_at)) - Date.parse(String(updated_at));
        checkEqual(renewedFor, hours * hourMs, 'the lifetime after it was renewed');
      }
      for (const lifetime_hours of ['', '0', '-1', '1.5', 'long']) {
        const query = { ...target.realm, lifetime_hours };
        checkError(await target.api.post('/api_key.json', query), 500);
      }
    },
  ),
];
