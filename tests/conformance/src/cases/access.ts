import { check, checkEqual, checkError, checkStatus, recordsOf, valuesOf } from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

const reading = ['/course.json', '/registration.json'] as const;

async function checkReads(target: Installation, access: Parameters): Promise<void> {
  for (const path of reading)
    checkStatus(await target.api.get(path, { ...access, fields: 'id' }), 200);
}

/** Access modes and what they reach (contract/access#modes, contract/access#reach). */
export const accessCases = [
  transportCase(
    'reads registrations with an API key',
    ['contract/access#api-key', 'contract/registrations#index-access'],
    async (target) => checkReads(target, await target.realmKey()),
  ),

  conformanceCase(
    'reads registrations with a realm pair',
    ['contract/access#realm-pair', 'contract/registrations#index-access'],
    async (target) => checkReads(target, target.realm),
  ),

  conformanceCase(
    'reads registrations with a provider pair',
    ['contract/access#provider-pair', 'contract/registrations#index-access'],
    async (target) => checkReads(target, target.application),
  ),

  conformanceCase(
    'accepts accessToken as a synonym of api_key',
    ['contract/access#access-token', 'contract/access#api-key'],
    async (target) => {
      const { api_key = '' } = await target.realmKey();
      await checkReads(target, { accessToken: api_key });
      await checkReads(target, { accessToken: api_key, api_key });
    },
  ),

  conformanceCase(
    'accepts an API key as Bearer, and a realm pair as Basic',
    ['contract/access#authorization'],
    async (target) => {
      const { api_key = '' } = await target.realmKey();
      const { realm_guid, realm_secret_key } = target.facts;
      const pair = Buffer.from(`${realm_guid}:${realm_secret_key}`).toString('base64');
      for (const authorization of [`Bearer ${String(api_key)}`, `basic ${pair}`]) {
        for (const path of reading)
          checkStatus(await target.api.get(path, { fields: 'id' }, { authorization }), 200);
        const query = { name: target.unique('template') };
        const headers = { authorization };
        checkStatus(await target.api.send('POST', '/template.json', { query, headers }), 201);
      }
      const unknown = [`Bearer ${target.unique('key')}`, 'Basic eDp5', 'Basic eA==', 'Basic'];
      for (const authorization of [...unknown, 'Bearer', 'Digest username="x"']) {
        checkError(await target.api.get('/course.json', {}, { authorization }), 401);
      }
    },
  ),

  conformanceCase(
    'names the schemes of the Authorization header in a 401, Basic not to browsers',
    ['contract/access#www-authenticate'],
    async (target) => {
      const schemesFor = async (headers: Record<string, string>) => {
        const response = await target.api.get('/course.json', {}, headers);
        checkError(response, 401);
        return response.headers.get('www-authenticate') ?? '';
      };
      const bearer = 'Bearer realm="registrar"';
      const both = `${bearer}, Basic realm="registrar", charset="UTF-8"`;
      checkEqual(await schemesFor({}), both, 'schemes');
      const pages: Record<string, string>[] = [
        { origin: 'https://client.example.com' },
        { 'sec-fetch-site': 'none' },
      ];
      for (const headers of pages) {
        checkEqual(await schemesFor(headers), bearer, 'schemes for a browser');
      }
    },
  ),

  conformanceCase(
    'counts the Authorization header like the parameters of its mode',
    ['contract/access#authorization-and-parameters'],
    async (target) => {
      const { api_key = '' } = await target.realmKey();
      const authorization = `Bearer ${String(api_key)}`;
      const statusWith = async (query: Parameters, header = authorization) =>
        (await target.api.get('/course.json', query, { authorization: header })).status;
      checkEqual(await statusWith({ api_key }), 200, 'the same key as a parameter');
      checkEqual(await statusWith({ accessToken: api_key }), 200, 'the same key as accessToken');
      checkEqual(await statusWith(await target.applicationKey()), 401, 'another key');
      checkEqual(await statusWith(target.realm), 501, 'a realm pair beside the key');
      checkEqual(await statusWith({ api_key }, 'Digest username="x"'), 200, 'another scheme');
      checkEqual(await statusWith({ api_key }, 'Bearer '), 200, 'an empty token');
      checkEqual(await statusWith({ api_key }, 'Basic Og=='), 200, 'an empty pair');
      const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
      const { realm_guid, realm_secret_key } = target.facts;
      const pair = basic(`${realm_guid}:${realm_secret_key}`);
      checkEqual(await statusWith(target.realm, pair), 200, 'the same pair as parameters');
      checkEqual(await statusWith({ realm_guid: 'other' }, pair), 401, 'another GUID');
      checkEqual(await statusWith({ api_key }, pair), 501, 'a key beside the pair');
      checkEqual(await statusWith({}, basic(`${realm_guid}:`)), 401, 'a pair without its secret');
    },
  ),

  conformanceCase(
    'returns 401 for an access parameter with two different values',
    ['contract/access#invalid-mode', 'contract/errors#order-of-checks'],
    async (target) => {
      const { api_key = '' } = await target.realmKey();
      const twice = { api_key: [String(api_key), 'other'] };
      checkError(await target.api.get('/course.json', twice), 401);
      checkError(await target.api.get('/course.json', { ...twice, color: 'blue' }), 401);
    },
  ),

  conformanceCase(
    'returns 401 when accessToken and api_key differ',
    ['contract/access#differing-tokens'],
    async (target) => {
      const { api_key = '' } = await target.realmKey();
      const other = (await target.applicationKey())['api_key'] ?? '';
      checkError(await target.api.get('/course.json', { api_key, accessToken: other }), 401);
    },
  ),

  conformanceCase(
    'returns 401 without an access mode, and for an empty one',
    ['contract/access#one-mode', 'contract/access#given-mode', 'contract/errors#status-401'],
    async (target) => {
      for (const path of reading) {
        checkError(await target.api.get(path, {}), 401);
        checkError(await target.api.get(path, { api_key: '' }), 401);
        checkError(await target.api.get(path, { realm_guid: '', realm_secret_key: '' }), 401);
      }
    },
  ),

  conformanceCase(
    'returns 401 for an incomplete access mode',
    ['contract/access#invalid-mode'],
    async (target) => {
      for (const pair of [target.realm, target.application]) {
        for (const [name, value] of Object.entries(pair)) {
          checkError(await target.api.get('/course.json', { [name]: value }), 401);
        }
      }
    },
  ),

  transportCase(
    'returns 401 for a wrong secret or key, without the cause',
    ['contract/access#invalid-mode', 'contract/access#cause-of-401', 'contract/errors#empty-body'],
    async (target) => {
      const wrong = [
        { ...target.realm, realm_secret_key: 'wrong' },
        { ...target.realm, realm_guid: 'unknown' },
        { ...target.application, sc_secret_key: 'wrong' },
        { ...target.application, sc_app_id: 'unknown' },
        { api_key: 'unknown' },
      ];
      for (const access of wrong) {
        checkError(await target.api.get('/course.json', access), 401);
      }
    },
  ),

  conformanceCase(
    'returns an error for halves of two pairs',
    ['contract/access#two-modes', 'contract/access#invalid-mode'],
    async (target) => {
      const { realm_guid = '' } = target.realm;
      const { sc_secret_key = '' } = target.application;
      checkError(await target.api.get('/course.json', { realm_guid, sc_secret_key }), 501);
    },
  ),

  conformanceCase(
    'returns 501 for more than one access mode',
    ['contract/access#two-modes', 'contract/access#one-mode', 'contract/errors#status-501'],
    async (target) => {
      const key = await target.realmKey();
      for (const path of reading) {
        checkError(await target.api.get(path, { ...target.realm, ...target.application }), 501);
        checkError(await target.api.get(path, { ...target.realm, ...key }), 501);
        checkError(await target.api.get(path, { ...target.application, ...key }), 501);
      }
      checkError(
        await target.api.post('/api_key.json', { ...target.realm, ...target.application }),
        501,
      );
      const half = { ...key, realm_guid: target.facts.realm_guid };
      checkError(await target.api.get('/course.json', half), 501);
    },
  ),

  conformanceCase(
    'ignores an empty access mode beside another one',
    ['contract/access#given-mode'],
    async (target) => {
      const empty = {
        ...target.realm,
        api_key: '',
        accessToken: '',
        sc_app_id: '',
        sc_secret_key: '',
      };
      await checkReads(target, empty);
    },
  ),

  conformanceCase(
    'registration create accepts a provider pair beside an API key or a realm pair',
    ['contract/access#provider-pair-beside', 'contract/registrations#create-api-key'],
    async (target) => {
      const course_guid = await target.course();
      for (const access of [await target.realmKey(), target.realm]) {
        for (const path of ['/registration.json', '/registration/gcreate.json'] as const) {
          const parameters = {
            ...access,
            ...target.application,
            course_guid,
            learner_id: target.learner(),
          };
          const response = path.includes('gcreate')
            ? await target.api.get(path, parameters)
            : await target.api.post(path, parameters);
          checkStatus(response, 201);
        }
      }
    },
  ),

  conformanceCase(
    'registration create returns 501 for an API key beside a realm pair',
    ['contract/access#two-modes', 'contract/access#provider-pair-beside'],
    async (target) => {
      const parameters = { course_guid: await target.course(), learner_id: target.learner() };
      const both = { ...target.realm, ...(await target.realmKey()), ...parameters };
      checkError(await target.api.post('/registration.json', both), 501);
      checkError(
        await target.api.post('/registration.json', { ...both, ...target.application }),
        501,
      );
    },
  ),

  conformanceCase(
    'registration create returns 401 for a wrong provider pair beside another mode',
    [
      'contract/access#provider-pair-beside',
      'contract/registrations#create-401',
      'contract/registrations#create-sc-app-id',
      'contract/registrations#create-sc-secret-key',
    ],
    async (target) => {
      const parameters = {
        ...(await target.realmKey()),
        course_guid: await target.course(),
        learner_id: target.learner(),
      };
      const { sc_app_id = '' } = target.application;
      for (const beside of [
        { sc_app_id, sc_secret_key: 'wrong' },
        { sc_app_id: 'unknown', sc_secret_key: 'wrong' },
        { sc_app_id },
      ]) {
        checkError(await target.api.post('/registration.json', { ...parameters, ...beside }), 401);
      }
    },
  ),

  transportCase(
    'registration create without a provider pair uses the only application that holds the course',
    ['contract/registrations#create-application'],
    async (target) => {
      const course_guid = await target.course();
      await target.register(course_guid);
      const learner_id = target.learner();
      const key = await target.realmKey();
      const response = await target.api.post('/registration.json', {
        ...key,
        course_guid,
        learner_id,
      });
      checkStatus(response, 201);
    },
  ),

  conformanceCase(
    'a provider pair and its key reach the courses and registrations of the application',
    ['contract/access#reach-provider', 'contract/access#provider-pair'],
    async (target) => {
      const course_guid = await target.course();
      const id = await target.register(course_guid);
      for (const access of [target.application, await target.applicationKey()]) {
        const courses = await target.api.get('/course.json', { ...access, course_guid });
        checkEqual(valuesOf(courses, 'course_guid'), [course_guid], courses.request);
        const registrations = await target.api.get('/registration.json', { ...access, id });
        checkEqual(valuesOf(registrations, 'registration_guid'), [id], registrations.request);
      }
    },
  ),

  ...(['/invitation.json', '/realm_user.json', '/template.json'] as const).map((path) =>
    conformanceCase(
      `a provider pair and its key get 401 on ${path}`,
      [
        'contract/access#reach-provider',
        'contract/access#realm-pair',
        ...(path === '/template.json'
          ? (['contract/templates#index-of-application'] as const)
          : []),
      ],
      async (target) => {
        for (const access of [target.application, await target.applicationKey()]) {
          checkError(await target.api.get(path, access), 401);
        }
      },
    ),
  ),

  conformanceCase(
    'an unbound key made from a realm pair administers realm users and invitations',
    [
      'contract/access#reach-realm',
      'contract/access#realm-key-administration',
      'contract/realm-users#realm-access-only',
    ],
    async (target) => {
      const key = await target.realmKey();
      const email = target.learner();
      checkStatus(await target.api.post('/realm_user.json', { ...key, email }), 201);
      const custom = '{"group":"a"}';
      checkStatus(await target.api.get('/realm_user/gupdate.json', { ...key, email, custom }), 200);
      for (const path of ['/invitation.json', '/realm_user.json', '/template.json']) {
        checkStatus(await target.api.get(path, { ...key, fields: 'id' }), 200);
      }
    },
  ),

  transportCase(
    'GET /course_provider lists the applications in reach, without secrets',
    ['contract/course-providers#index-route', 'contract/course-providers#no-secrets'],
    async (target) => {
      for (const access of [target.realm, target.application, await target.realmKey()]) {
        const response = await target.api.get('/course_provider.json', access);
        const found = recordsOf(response).find(
          (record) => record['sc_app_id'] === target.facts.sc_app_id,
        );
        check(found, `${response.request}: the application is not listed`);
        check(Number.isInteger(found['id']), `${response.request}: its id is no integer`);
        check(
          !response.text.includes(target.facts.sc_secret_key),
          `${response.request}: the secret is shown`,
        );
      }
      for (const format of ['xml', 'csv']) {
        checkStatus(await target.api.get(`/course_provider.${format}`, target.realm), 200);
      }
      checkError(await target.api.get('/course_provider.json', {}), 401);
    },
  ),
];
