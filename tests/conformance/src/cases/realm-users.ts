import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
  textOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseXml } from '../readers.ts';

const createUser = async (target: Installation, more: Parameters = {}) => {
  const parameters = { ...target.realm, email: target.learner(), ...more };
  return recordOf(await target.api.get('/realm_user/gcreate.json', parameters), 201);
};

const creates = [
  ['POST', '/realm_user', 'contract/realm-users#create-post'],
  ['GET', '/realm_user/gcreate', 'contract/realm-users#create-gcreate'],
] as const;

export const realmUserCases = [
  transportCase(
    'GET /realm_user lists the users of the realm and filters by email',
    [
      'contract/realm-users#index-route',
      'contract/realm-users#filter-email',
      'contract/formats#operation-index',
    ],
    async (target) => {
      const { email, id } = await createUser(target);
      const one = { ...target.realm, email: String(email) };
      checkEqual(onlyRecordOf(await target.api.get('/realm_user.json', one))['id'], id, 'id');
      const all = recordsOf(await target.api.get('/realm_user.json', target.realm));
      check(
        all.some((record) => record['id'] === id),
        'the index does not list the user',
      );
      const nobody = { ...target.realm, email: target.learner() };
      checkEqual(
        recordsOf(await target.api.get('/realm_user.json', nobody)),
        [],
        'realm users with an unknown email',
      );
    },
  ),

  conformanceCase(
    'GET /realm_user returns 401 without access and 500 for an unknown parameter',
    ['contract/realm-users#realm-access-only', 'contract/parameters#unknown-parameter'],
    async (target) => {
      checkError(await target.api.get('/realm_user.json', {}), 401);
      checkError(await target.api.get('/realm_user.json', { ...target.realm, color: 'blue' }), 500);
    },
  ),

  ...creates.map(([method, path, rule]) =>
    transportCase(
      `${method} ${path} creates a realm user with custom text and the role of a learner`,
      [
        rule,
        'contract/realm-users#create-email',
        'contract/realm-users#create-custom',
        'contract/realm-users#create-realm-role-id',
        'contract/realm-users#create-201',
        'contract/realm-users#record-email',
        'contract/formats#operation-aliases',
        'contract/errors#status-201',
      ],
      async (target) => {
        const email = target.learner();
        const query = { ...target.realm, email, custom: '{"a":1}' };
        const response = await target.api.send(method, `${path}.json`, { query });
        const { realm_role_id, custom, email: shown } = recordOf(response, 201);
        checkEqual([realm_role_id, custom, shown], [1, '{"a":1}', email], response.request);
      },
    ),
  ),

  conformanceCase(
    'GET /realm_user/gcreate.xml returns the elements of the record',
    [
      'contract/realm-users#create-gcreate',
      'contract/formats#xml-names',
      'contract/formats#xml-single-record',
    ],
    async (target) => {
      const parameters = { ...target.realm, email: target.learner() };
      const response = await target.api.get('/realm_user/gcreate.xml', parameters);
      checkStatus(response, 201);
      const user = parseXml(response.text);
      checkEqual(user.name, 'realm-user', 'the root');
      for (const name of ['id', 'realm-id', 'realm-role-id', 'user-id', 'custom', 'created-at']) {
        check(user.textOf(name) !== undefined, `there is no ${name}`);
      }
    },
  ),

  conformanceCase(
    'a user is a learner, or a subscriber when api_key create has created it',
    [
      'contract/realm-users#role-learner',
      'contract/realm-users#role-subscriber',
      'contract/api-keys#create-user-email',
    ],
    async (target) => {
      const roleOf = async (email: string) => {
        const found = await target.api.get('/realm_user.json', { ...target.realm, email });
        return onlyRecordOf(found)['realm_role_id'];
      };
      const [learner, subscriber] = [target.learner(), target.learner()];
      await target.register(await target.course(), learner);
      await target.userKey(subscriber);
      checkEqual([await roleOf(learner), await roleOf(subscriber)], [1, 2], 'the roles');
    },
  ),

  conformanceCase(
    'a role of the client changes nothing about what the user reaches',
    ['contract/realm-users#role-no-access'],
    async (target) => {
      const user = await createUser(target, { realm_role_id: '99' });
      const access = await target.userKey(textOf(user, 'email'));
      checkStatus(await target.api.get('/course.json', access), 200);
      checkError(await target.api.get('/realm_user.json', access), 401);
      const stored = await target.api.get('/realm_user.json', {
        ...target.realm,
        email: textOf(user, 'email'),
      });
      checkEqual(onlyRecordOf(stored)['realm_role_id'], 99, 'the role');
    },
  ),

  conformanceCase(
    'realm_role_id sets the role',
    ['contract/realm-users#create-realm-role-id'],
    async (target) => {
      checkEqual(
        (await createUser(target, { realm_role_id: '2' }))['realm_role_id'],
        2,
        'realm_role_id',
      );
    },
  ),

  ...creates.map(([method, path]) =>
    conformanceCase(
      `${method} ${path} returns 302 for an existing user, who is not changed`,
      [
        'contract/realm-users#create-302',
        'contract/errors#status-302',
        'contract/errors#empty-body',
      ],
      async (target) => {
        const { email } = await createUser(target, { custom: 'first' });
        const one = { ...target.realm, email: String(email) };
        const query = { ...one, custom: 'second' };
        const response = await target.api.send(method, `${path}.json`, { query });
        checkError(response, 302);
        checkEqual(response.headers.get('location'), null, 'Location');
        const kept = onlyRecordOf(await target.api.get('/realm_user.json', one));
        checkEqual(kept['custom'], 'first', 'custom');
      },
    ),
  ),

  conformanceCase(
    'realm user create returns 500 for an invalid email',
    ['contract/realm-users#create-500', 'contract/errors#status-500'],
    async (target) => {
      for (const parameters of [{ email: 'no address' }, { email: '' }, {}]) {
        const query = { ...target.realm, ...parameters };
        checkError(await target.api.get('/realm_user/gcreate.json', query), 500);
      }
      const unknown = { ...target.realm, email: target.learner(), color: 'blue' };
      checkError(await target.api.get('/realm_user/gcreate.json', unknown), 500);
    },
  ),

  transportCase(
    'GET /realm_user/gupdate sets the custom text of the user with that email',
    [
      'contract/realm-users#update-gupdate',
      'contract/realm-users#update-200',
      'contract/realm-users#update-fields',
      'contract/formats#operation-aliases',
    ],
    async (target) => {
      const { email, id } = await createUser(target, { custom: 'before' });
      const one = { ...target.realm, email: String(email) };
      const response = await target.api.get('/realm_user/gupdate.json', {
        ...one,
        custom: 'after',
      });
      const record = recordOf(response);
      checkEqual([record['id'], record['custom'], record['email']], [id, 'after', email], 'record');
      const kept = onlyRecordOf(await target.api.get('/realm_user.json', one));
      checkEqual(kept['custom'], 'after', 'custom in the index');
    },
  ),

  conformanceCase(
    'GET /realm_user/gupdate returns 404 for an unknown user',
    ['contract/realm-users#update-404', 'contract/errors#status-404'],
    async (target) => {
      const nobody = { ...target.realm, email: target.learner(), custom: 'x' };
      checkError(await target.api.get('/realm_user/gupdate.json', nobody), 404);
    },
  ),

  conformanceCase(
    'GET /realm_user/gupdate returns 500 for an invalid email or an unknown parameter',
    ['contract/realm-users#update-500', 'contract/errors#status-500'],
    async (target) => {
      const { email } = await createUser(target);
      const invalid = { ...target.realm, email: 'no address', custom: 'x' };
      checkError(await target.api.get('/realm_user/gupdate.json', invalid), 500);
      const unexpected = { ...target.realm, email: String(email), color: 'blue' };
      checkError(await target.api.get('/realm_user/gupdate.json', unexpected), 500);
    },
  ),

  ...(['PUT', 'POST'] as const).map((method) =>
    transportCase(
      `${method} /realm_user/:id updates a realm user`,
      [
        'contract/realm-users#update-routes',
        'contract/realm-users#update-fields',
        'contract/formats#operation-update',
      ],
      async (target) => {
        const { id } = await createUser(target);
        const update = (user: string, query: Parameters) =>
          target.api.send(method, `/realm_user/${user}.json`, {
            query: { ...target.realm, ...query },
          });
        const record = recordOf(await update(String(id), { custom: 'new', realm_role_id: '2' }));
        checkEqual([record['custom'], record['realm_role_id']], ['new', 2], 'the record');
        checkEqual(recordOf(await update(String(id), {}))['custom'], 'new', 'custom kept');
        checkError(await update('2147483647', { custom: 'x' }), 404);
      },
    ),
  ),

  conformanceCase(
    'realm user create and update return 401 without realm access',
    ['contract/realm-users#realm-access-only', 'contract/access#reach-provider'],
    async (target) => {
      const parameters = { email: target.learner() };
      for (const access of [target.application, await target.applicationKey(), {}]) {
        const query = { ...access, ...parameters };
        checkError(await target.api.get('/realm_user/gcreate.json', query), 401);
        checkError(await target.api.get('/realm_user/gupdate.json', query), 401);
        checkError(await target.api.post('/realm_user.json', query), 401);
      }
      checkStatus(
        await target.api.get('/realm_user/gcreate.json', {
          ...(await target.realmKey()),
          ...parameters,
        }),
        201,
      );
    },
  ),
];
