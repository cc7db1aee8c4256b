import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  checkType,
  onlyRecordOf,
  recordOf,
  recordsOf,
  textOf,
  valuesOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { ProviderAccount } from '../provider-account.ts';
import { parseXml } from '../readers.ts';

const create = (on: Installation, parameters: Parameters) =>
  on.api.post('/registration.json', parameters);

/** Parameters of a create that the provider refuses: it no longer holds the course. */
async function refusedByProvider(on: Installation): Promise<Parameters> {
  const provider = await ProviderAccount.of(on);
  const course_guid = await on.importCourse('withdrawn');
  checkEqual(await provider.deleteCourse(course_guid), 204, 'deletion at the provider');
  return { ...on.realm, course_guid, learner_id: on.learner() };
}

function checkProviderError(body: unknown): void {
  const error = body as Record<string, unknown>;
  checkEqual(
    Object.keys(error).toSorted(),
    ['error_code', 'error_message', 'error_url'],
    'the keys',
  );
  for (const [name, value] of Object.entries(error)) {
    check(typeof value === 'string' && value !== '', `${name} is ${JSON.stringify(value)}`);
  }
}

export const registrationCreateCases = [
  ...(
    [
      ['POST', '/registration.json', 'api-v2: Registration: create, POST /registration'],
      [
        'GET',
        '/registration/gcreate.json',
        'api-v2: Registration: create, GET /registration/gcreate',
      ],
    ] as const
  ).map(([method, path, paragraph]) =>
    trial(
      `${method} ${path} makes a registration`,
      [
        paragraph,
        'api-v2: Registration: create, 201',
        'api-v2: Registration: create, course_guid',
        'api-v2: Registration: create, learner_id',
        'api-v2: Errors, 201',
        'api-v2: Operation names, gcreate and gupdate',
      ],
      async (on) => {
        const learner_id = on.learner();
        const course_guid = await on.course();
        const access = { ...(await on.realmKey()), ...on.application };
        const query = { ...access, course_guid, learner_id };
        const record = recordOf(await on.api.send(method, path, { query }), 201);
        checkEqual([record['course_guid'], record['learner_id']], [course_guid, learner_id], path);
        const id = textOf(record, 'registration_guid');
        const listed = onlyRecordOf(await on.api.get('/registration.json', { ...on.realm, id }));
        checkEqual(listed['id'], record['id'], 'id');
      },
    ),
  ),

  trial(
    'the response comes in XML as well',
    ['api-v2: Registration: create, response'],
    async (on) => {
      const parameters = { ...on.realm, course_guid: await on.course(), learner_id: on.learner() };
      const answer = await on.api.get('/registration/gcreate.xml', parameters);
      checkStatus(answer, 201);
      checkType(answer, 'application/xml');
      const record = parseXml(answer.text);
      checkEqual(record.textOf('learner-id'), parameters.learner_id, 'learner-id');
      check(/^\d+$/.test(record.textOf('course-id') ?? ''), 'course-id is no integer');
    },
  ),

  trial(
    'with the provider pair alone',
    [
      'api-v2: Registration: create, sc_app_id',
      'api-v2: Registration: create, sc_secret_key',
      'decision 13',
    ],
    async (on) => {
      const parameters = { course_guid: await on.course(), learner_id: on.learner() };
      recordOf(await create(on, { ...on.application, ...parameters }), 201);
    },
  ),

  trial(
    'with an API key alone',
    ['api-v2: Registration: create, api_key', 'decision 13'],
    async (on) => {
      const parameters = { course_guid: await on.course(), learner_id: on.learner() };
      for (const key of [await on.realmKey(), await on.applicationKey()]) {
        recordOf(await create(on, { ...key, ...parameters }), 201);
      }
    },
  ),

  trial(
    'no valid access is refused',
    ['api-v2: Registration: create, 401', 'api-v2: Errors, 401'],
    async (on) => {
      const parameters = { course_guid: await on.course(), learner_id: on.learner() };
      checkRefused(await create(on, parameters), 401);
      checkRefused(await create(on, { ...parameters, api_key: 'unknown' }), 401);
    },
  ),

  trial(
    'a course that is not given or not there is not found',
    ['api-v2: Registration: create, 404', 'api-v2: Errors, 404'],
    async (on) => {
      const parameters = { ...on.realm, learner_id: on.learner() };
      checkRefused(await create(on, parameters), 404);
      checkRefused(await create(on, { ...parameters, course_guid: '' }), 404);
      checkRefused(await create(on, { ...parameters, course_guid: on.unique('unknown') }), 404);
    },
  ),

  trial(
    'a learner_id that is no address is refused',
    ['api-v2: Registration: create, 500', 'api-v2: Registration: create, learner_id'],
    async (on) => {
      const course_guid = await on.course();
      for (const learner_id of ['', 'no address', 'a@', 'a b@example.com']) {
        checkRefused(await create(on, { ...on.realm, course_guid, learner_id }), 500);
      }
      checkRefused(await create(on, { ...on.realm, course_guid }), 500);
    },
  ),

  trial(
    'the learner becomes a user of the realm',
    ['api-v2: Realm user record, implicit creation'],
    async (on) => {
      const email = on.learner();
      await on.register(await on.course(), email);
      onlyRecordOf(await on.api.get('/realm_user.json', { ...on.realm, email }));
    },
  ),

  trial('every create makes another registration', ['decision 19'], async (on) => {
    const learner = on.learner();
    const course = await on.course();
    const first = await on.register(course, learner);
    check((await on.register(course, learner)) !== first, 'the first was answered again');
  }),

  trial(
    'dont_duplicate answers the existing registration of this course and user',
    ['api-v2: Registration: create, dont_duplicate', 'decision 19'],
    async (on) => {
      const learner = on.learner();
      const course = await on.course();
      const first = await on.register(course, learner, { dont_duplicate: 't' });
      const again = await on.register(course, learner, { dont_duplicate: 't' });
      checkEqual(again, first, 'registration_guid');
      const elsewhere = await on.importCourse('elsewhere');
      const other = await on.register(elsewhere, learner, { dont_duplicate: 't' });
      check(other !== first, 'the registration of another course was answered');
    },
  ),

  trial(
    'equal creates that race with dont_duplicate end in one registration',
    ['decision 19'],
    async (on) => {
      const learner_id = on.learner();
      const parameters = {
        ...on.realm,
        course_guid: await on.course(),
        learner_id,
        dont_duplicate: 't',
      };
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(on, parameters)));
      const guids = answers.map((answer) => textOf(recordOf(answer, 201), 'registration_guid'));
      checkEqual(new Set(guids).size, 1, 'the number of registrations answered');
      const stored = await on.api.get('/registration.json', { ...on.realm, learner_id });
      checkEqual(recordsOf(stored).length, 1, 'the number of registrations stored');
    },
  ),

  trial(
    'dont_duplicate passes over a registration that is deleted at the provider',
    ['decision 18'],
    async (on) => {
      const provider = await ProviderAccount.of(on);
      const learner = on.learner();
      const course = await on.course();
      const first = await on.register(course, learner);
      checkEqual(await provider.deleteRegistration(first), 204, 'deletion at the provider');
      await on.api.get('/registration.json', { ...on.realm, id: first, crawl: 't' });
      const next = await on.register(course, learner, { dont_duplicate: 't' });
      check(next !== first, 'the deleted registration was answered');
    },
  ),

  trial(
    'check_hosted finds a registration that was made at the provider itself',
    ['api-v2: Registration: create, check_hosted'],
    async (on) => {
      const provider = await ProviderAccount.of(on);
      const email = on.learner();
      const [registrationId, courseId] = [on.unique('hosted'), await on.course()];
      const learner = { id: email, email, firstName: '', lastName: '' };
      checkEqual(await provider.register({ registrationId, courseId, learner }), 204, 'provider');
      const flags = { dont_duplicate: 't', check_hosted: 't' };
      checkEqual(await on.register(courseId, email, flags), registrationId, 'registration_guid');
    },
  ),

  trial(
    'fname and lname are the learner’s name at the provider',
    [
      'api-v2: Registration: create, fname',
      'api-v2: Registration: create, lname',
      'api-v2: Registration record, the GUID is the id',
    ],
    async (on) => {
      const provider = await ProviderAccount.of(on);
      const email = on.learner();
      const name = { fname: 'Fɪrst', lname: 'Læst' };
      const guid = await on.register(await on.course(), email, name);
      const held = (await provider.registration(guid)) as { learner: Record<string, unknown> };
      const { firstName, lastName } = held.learner;
      checkEqual([firstName, lastName], [name.fname, name.lname], 'the name at the provider');
    },
  ),

  trial(
    'what the provider refuses is answered 403 with its error',
    [
      'api-v2: Registration: create, 403',
      'api-v2: Registration: create, 403 body',
      'api-v2: Errors, 403',
      'api-v2: Limits, the provider caps registrations',
    ],
    async (on) => {
      const parameters = await refusedByProvider(on);
      const json = await create(on, parameters);
      checkStatus(json, 403);
      checkType(json, 'application/json');
      checkProviderError(JSON.parse(json.text));
      const { sc_secret_key, realm_secret_key } = on.facts;
      check(!json.text.includes(sc_secret_key), 'it shows the provider’s secret');
      check(!json.text.includes(realm_secret_key), 'it shows the realm’s secret');
      const xml = await on.api.post('/registration.xml', parameters);
      checkStatus(xml, 403);
      check(parseXml(xml.text).textOf('error-message'), 'no error-message in XML');
      const kept = await on.api.get('/registration.json', {
        ...on.realm,
        learner_id: parameters['learner_id'] ?? '',
      });
      checkEqual(valuesOf(kept, 'id'), [], 'what is kept of it');
    },
  ),

  trial(
    'with JSONP the same body has status 200',
    ['api-v2: Registration: create, 403 with JSONP', 'decision 9'],
    async (on) => {
      const parameters = { ...(await refusedByProvider(on)), callback: 'show' };
      const answer = await on.api.get('/registration/gcreate.json', parameters);
      checkStatus(answer, 200);
      checkType(answer, 'application/javascript');
      const [, body = ''] = /show\((.*)\)/s.exec(answer.text) ?? [];
      checkProviderError(JSON.parse(body));
    },
  ),
];
