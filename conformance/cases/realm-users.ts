import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseXml } from '../readers.ts';

const made = async (on: Installation, more: Parameters = {}) => {
  const parameters = { ...on.realm, email: on.learner(), ...more };
  return recordOf(await on.api.get('/realm_user/gcreate.json', parameters), 201);
};

const creates = [
  ['POST', '/realm_user'],
  ['GET', '/realm_user/gcreate'],
] as const;

export const realmUserCases = [
  trial(
    'GET /realm_user lists the users of the realm, and filters by email',
    ['api-v2: Realm user, index', 'api-v2: Operation names, index', 'decision 23'],
    async (on) => {
      const { email, id } = await made(on);
      const one = { ...on.realm, email: String(email) };
      checkEqual(onlyRecordOf(await on.api.get('/realm_user.json', one))['id'], id, 'id');
      const all = recordsOf(await on.api.get('/realm_user.json', on.realm));
      check(
        all.some((record) => record['id'] === id),
        'the whole index lacks it',
      );
      const nobody = { ...on.realm, email: on.learner() };
      checkEqual(recordsOf(await on.api.get('/realm_user.json', nobody)), [], 'of nobody');
    },
  ),

  trial(
    'GET /realm_user is refused without access, and with parameters that it does not know',
    ['api-v2: Realm user, index', 'api-v2: Realm user, access'],
    async (on) => {
      checkRefused(await on.api.get('/realm_user.json', {}), 401);
      checkRefused(await on.api.get('/realm_user.json', { ...on.realm, colour: 'blue' }), 500);
    },
  ),

  ...creates.map(([method, path]) =>
    trial(
      `${method} ${path} makes a user, with custom text and the role of a learner`,
      [
        'api-v2: Realm user, gcreate',
        'api-v2: Realm user, gcreate 201',
        'api-v2: Errors, 201',
        'api-v2: Operation names, gcreate and gupdate',
        'decision 23',
      ],
      async (on) => {
        const email = on.learner();
        const query = { ...on.realm, email, custom: '{"a":1}' };
        const answer = await on.api.send(method, `${path}.json`, { query });
        const { realm_role_id, custom, email: shown } = recordOf(answer, 201);
        checkEqual([realm_role_id, custom, shown], [1, '{"a":1}', email], answer.request);
      },
    ),
  ),

  trial(
    'the answer in XML has the elements of the record',
    ['api-v2: Realm user, gcreate', 'api-v2: Records, XML names'],
    async (on) => {
      const parameters = { ...on.realm, email: on.learner() };
      const answer = await on.api.get('/realm_user/gcreate.xml', parameters);
      checkStatus(answer, 201);
      const user = parseXml(answer.text);
      checkEqual(user.name, 'realm-user', 'the root');
      for (const name of ['id', 'realm-id', 'realm-role-id', 'user-id', 'custom', 'created-at']) {
        check(user.textOf(name) !== undefined, `there is no ${name}`);
      }
    },
  ),

  trial('realm_role_id is taken', ['decision 23'], async (on) => {
    checkEqual((await made(on, { realm_role_id: '2' }))['realm_role_id'], 2, 'realm_role_id');
  }),

  ...creates.map(([method, path]) =>
    trial(
      `${method} ${path} of a user who exists changes nothing: 302, empty, no Location`,
      [
        'api-v2: Realm user, gcreate 302',
        'api-v2: Errors, 302',
        'api-v2: Errors, empty body',
        'decision 23',
      ],
      async (on) => {
        const { email } = await made(on, { custom: 'first' });
        const one = { ...on.realm, email: String(email) };
        const query = { ...one, custom: 'second' };
        const answer = await on.api.send(method, `${path}.json`, { query });
        checkRefused(answer, 302);
        checkEqual(answer.headers.get('location'), null, 'Location');
        const kept = onlyRecordOf(await on.api.get('/realm_user.json', one));
        checkEqual(kept['custom'], 'first', 'custom');
      },
    ),
  ),

  trial(
    'an email that is no address is refused',
    ['api-v2: Realm user, gcreate 500', 'api-v2: Errors, 500'],
    async (on) => {
      for (const parameters of [{ email: 'no address' }, { email: '' }, {}]) {
        const query = { ...on.realm, ...parameters };
        checkRefused(await on.api.get('/realm_user/gcreate.json', query), 500);
      }
      const unknown = { ...on.realm, email: on.learner(), colour: 'blue' };
      checkRefused(await on.api.get('/realm_user/gcreate.json', unknown), 500);
    },
  ),

  trial(
    'gupdate sets the custom text of the user with that email',
    [
      'api-v2: Realm user, gupdate',
      'api-v2: Realm user, gupdate 200',
      'api-v2: Operation names, gcreate and gupdate',
      'decision 23',
    ],
    async (on) => {
      const { email, id } = await made(on, { custom: 'before' });
      const one = { ...on.realm, email: String(email) };
      const answer = await on.api.get('/realm_user/gupdate.json', { ...one, custom: 'after' });
      const record = recordOf(answer);
      checkEqual([record['id'], record['custom'], record['email']], [id, 'after', email], 'record');
      const kept = onlyRecordOf(await on.api.get('/realm_user.json', one));
      checkEqual(kept['custom'], 'after', 'custom in the index');
    },
  ),

  trial(
    'gupdate of a user who is not there is not found',
    ['api-v2: Realm user, gupdate 404', 'api-v2: Errors, 404'],
    async (on) => {
      const nobody = { ...on.realm, email: on.learner(), custom: 'x' };
      checkRefused(await on.api.get('/realm_user/gupdate.json', nobody), 404);
    },
  ),

  trial(
    'gupdate refuses an invalid email and unexpected parameters',
    ['api-v2: Realm user, gupdate 500', 'api-v2: Errors, 500'],
    async (on) => {
      const { email } = await made(on);
      const invalid = { ...on.realm, email: 'no address', custom: 'x' };
      checkRefused(await on.api.get('/realm_user/gupdate.json', invalid), 500);
      const unexpected = { ...on.realm, email: String(email), colour: 'blue' };
      checkRefused(await on.api.get('/realm_user/gupdate.json', unexpected), 500);
    },
  ),

  ...(['PUT', 'POST'] as const).map((method) =>
    trial(
      `${method} /realm_user/:id updates a user`,
      ['decision 23', 'api-v2: Operation names, update'],
      async (on) => {
        const { id } = await made(on);
        const update = (user: string, query: Parameters) =>
          on.api.send(method, `/realm_user/${user}.json`, { query: { ...on.realm, ...query } });
        const record = recordOf(await update(String(id), { custom: 'new', realm_role_id: '2' }));
        checkEqual([record['custom'], record['realm_role_id']], ['new', 2], 'the record');
        checkEqual(recordOf(await update(String(id), {}))['custom'], 'new', 'custom kept');
        checkRefused(await update('2147483647', { custom: 'x' }), 404);
      },
    ),
  ),

  trial(
    'create and update need a realm pair or a key made from one',
    ['api-v2: Realm user, access', 'decision 14'],
    async (on) => {
      const parameters = { email: on.learner() };
      for (const access of [on.application, await on.applicationKey(), {}]) {
        const query = { ...access, ...parameters };
        checkRefused(await on.api.get('/realm_user/gcreate.json', query), 401);
        checkRefused(await on.api.get('/realm_user/gupdate.json', query), 401);
        checkRefused(await on.api.post('/realm_user.json', query), 401);
      }
      checkStatus(
        await on.api.get('/realm_user/gcreate.json', { ...(await on.realmKey()), ...parameters }),
        201,
      );
    },
  ),
];
