import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  checkType,
  onlyRecordOf,
  recordOf,
  recordsOf,
  textOf,
  valuesOf,
} from '../checks.ts';
import type { ApiResponse, Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { ProviderAccount } from '../provider-account.ts';
import { parseCsv, parseXml } from '../readers.ts';

const create = (target: Installation, parameters: Parameters) =>
  target.api.post('/registration.json', parameters);

/** Parameters of a create that the provider refuses, because it no longer holds the course. */
async function refusedByProvider(target: Installation): Promise<Parameters> {
  const provider = await ProviderAccount.of(target);
  const course_guid = await target.importCourse('withdrawn');
  checkEqual(await provider.deleteCourse(course_guid), 204, 'deletion at the provider');
  return { ...target.realm, course_guid, learner_id: target.learner() };
}

/** How many courses may be tried, of which a crawl finds the deletion first. */
const refusedTries = 5;

/** Sends a create that the provider refuses; once more if a crawl has found the deletion first (404). */
async function createRefused(
  target: Installation,
  send: (parameters: Parameters) => Promise<ApiResponse>,
  tries = refusedTries,
): Promise<{ readonly parameters: Parameters; readonly response: ApiResponse }> {
  const parameters = await refusedByProvider(target);
  const response = await send(parameters);
  if (response.status === 404 && tries > 1) return createRefused(target, send, tries - 1);
  return { parameters, response };
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

const bytes = (text: string) => new TextEncoder().encode(text);

/** Bodies whose data were not posted correctly. Bytes get no Content-Type of their own. */
const notPosted: Readonly<
  Record<string, { readonly body: string | Uint8Array<ArrayBuffer>; readonly type: string | null }>
> = {
  'an empty form': { body: '', type: 'application/x-www-form-urlencoded' },
  'an empty JSON object': { body: '{}', type: 'application/json' },
  'JSON that is cut off': { body: '{"course_guid":"x"', type: 'application/json' },
  'JSON that is no object': { body: '["course_guid"]', type: 'application/json' },
  'a multipart form without an end': {
    body: '--x\r\ncontent-disposition: form-data; name="course_guid"\r\n\r\nx',
    type: 'multipart/form-data; boundary=x',
  },
  'a body without a Content-Type': { body: bytes('course_guid=x'), type: null },
  'a body with another Content-Type': { body: 'course_guid=x', type: 'text/plain' },
  'a body with a malformed Content-Type': { body: 'course_guid=x', type: 'form' },
};

export const registrationCreateCases = [
  ...(
    [
      ['POST', '/registration.json', 'contract/registrations#create-post'],
      ['GET', '/registration/gcreate.json', 'contract/registrations#create-gcreate'],
    ] as const
  ).map(([method, path, rule]) =>
    transportCase(
      `${method} ${path} creates a registration`,
      [
        rule,
        'contract/registrations#create-response',
        'contract/registrations#create-course-guid',
        'contract/registrations#create-learner-id',
        'contract/errors#status-201',
        'contract/formats#operation-aliases',
      ],
      async (target) => {
        const learner_id = target.learner();
        const course_guid = await target.course();
        const access = { ...(await target.realmKey()), ...target.application };
        const query = { ...access, course_guid, learner_id };
        const record = recordOf(await target.api.send(method, path, { query }), 201);
        checkEqual([record['course_guid'], record['learner_id']], [course_guid, learner_id], path);
        const id = textOf(record, 'registration_guid');
        const listed = onlyRecordOf(
          await target.api.get('/registration.json', { ...target.realm, id }),
        );
        checkEqual(listed['id'], record['id'], 'id');
      },
    ),
  ),

  conformanceCase(
    'registration create returns XML',
    ['contract/registrations#create-response'],
    async (target) => {
      const parameters = {
        ...target.realm,
        course_guid: await target.course(),
        learner_id: target.learner(),
      };
      const response = await target.api.get('/registration/gcreate.xml', parameters);
      checkStatus(response, 201);
      checkType(response, 'application/xml');
      const record = parseXml(response.text);
      checkEqual(record.textOf('learner-id'), parameters.learner_id, 'learner-id');
      check(/^\d+$/.test(record.textOf('course-id') ?? ''), 'course-id is no integer');
    },
  ),

  conformanceCase(
    'fields of registration create takes all names of the two references',
    [
      'contract/registrations#create-reference-names',
      'contract/registrations#create-references',
      'contract/parameters#former-fields',
    ],
    async (target) => {
      const course_guid = await target.course();
      const names = {
        course_provider_id: ['course_provider_id', 'hosted_app_id', 'scorm_cloud_app_id'],
        course_id: ['course_id', 'hosted_course_id', 'scorm_cloud_course_id'],
      };
      const send = (format: string, fields: string) =>
        target.api.get(`/registration/gcreate.${format}`, {
          ...target.realm,
          course_guid,
          learner_id: target.learner(),
          fields,
        });
      const whole = recordOf(await send('json', Object.keys(names).join(',')), 201);
      const all = Object.values(names).flat();
      const expected = Object.fromEntries(
        Object.entries(names).flatMap(([name, each]) => each.map((other) => [other, whole[name]])),
      );
      checkEqual(recordOf(await send('json', all.join(',')), 201), expected, 'all names');
      for (const name of all) {
        const one = { [name]: expected[name] };
        const hyphens = name.replaceAll('_', '-');
        checkEqual(recordOf(await send('json', hyphens), 201), one, name);
        const xml = parseXml((await send('xml', name)).text);
        checkEqual(xml.textOf(hyphens), String(expected[name]), `${hyphens} in XML`);
        checkEqual(
          parseCsv((await send('csv', name)).text),
          [{ [name]: String(expected[name]) }],
          name,
        );
      }
    },
  ),

  conformanceCase(
    'registration create works with a provider pair alone',
    ['contract/registrations#create-sc-app-id', 'contract/registrations#create-sc-secret-key'],
    async (target) => {
      const parameters = { course_guid: await target.course(), learner_id: target.learner() };
      recordOf(await create(target, { ...target.application, ...parameters }), 201);
    },
  ),

  conformanceCase(
    'registration create works with an API key alone',
    ['contract/registrations#create-api-key', 'contract/registrations#create-application'],
    async (target) => {
      const parameters = { course_guid: await target.course(), learner_id: target.learner() };
      for (const key of [await target.realmKey(), await target.applicationKey()]) {
        recordOf(await create(target, { ...key, ...parameters }), 201);
      }
    },
  ),

  conformanceCase(
    'registration create returns 401 without valid access',
    ['contract/registrations#create-401', 'contract/errors#status-401'],
    async (target) => {
      const parameters = { course_guid: await target.course(), learner_id: target.learner() };
      checkError(await create(target, parameters), 401);
      checkError(await create(target, { ...parameters, api_key: 'unknown' }), 401);
    },
  ),

  transportCase(
    'registration create returns 404 for an unknown course',
    ['contract/registrations#create-404', 'contract/errors#status-404'],
    async (target) => {
      const parameters = { ...target.realm, learner_id: target.learner() };
      checkError(
        await create(target, { ...parameters, course_guid: target.unique('unknown') }),
        404,
      );
    },
  ),

  ...(
    [
      ['JSON', 'json', {}],
      ['XML', 'xml', {}],
      ['CSV', 'csv', {}],
      ['JSONP', 'json', { callback: 'show' }],
    ] as const
  ).map(([title, suffix, more]) =>
    conformanceCase(
      `registration create without course_guid returns 404 in ${title}`,
      [
        'contract/registrations#create-404',
        'contract/registrations#create-course-guid',
        'contract/errors#status-404',
      ],
      async (target) => {
        const learner_id = target.learner();
        const accesses = [
          target.realm,
          target.application,
          await target.realmKey(),
          await target.applicationKey(),
          await target.userKey(learner_id),
          { ...(await target.realmKey()), ...target.application },
        ];
        for (const access of accesses) {
          for (const missing of [{}, { course_guid: '' }]) {
            const parameters = { ...access, ...more, ...missing, learner_id };
            const { api } = target;
            checkError(await api.get(`/registration/gcreate.${suffix}`, parameters), 404);
            checkError(await api.post(`/registration.${suffix}`, parameters), 404);
          }
        }
      },
    ),
  ),

  conformanceCase(
    'registration create reports a missing course_guid before any other parameter, and after access',
    ['contract/registrations#create-404-first', 'contract/errors#order-of-checks'],
    async (target) => {
      const others: Parameters[] = [
        { learner_id: 'no address' },
        { learner_id: '' },
        { color: 'blue' },
        { dont_duplicate: 'perhaps' },
        { fields: 'color' },
        { callback: 'a(b' },
      ];
      const course_guid = await target.course();
      for (const other of others) {
        checkError(await create(target, { ...target.realm, ...other }), 404);
        checkError(await create(target, { ...target.realm, ...other, course_guid: '' }), 404);
        checkError(await create(target, { ...target.realm, ...other, course_guid }), 500);
      }
      const key = await target.userKey(target.learner());
      checkError(await create(target, { ...key, learner_id: target.learner() }), 401);
      checkError(await create(target, {}), 401);
      checkError(await create(target, { ...target.realm, api_key: 'unknown' }), 501);
      checkError(await target.api.post('/registration.pdf', target.realm), 406);
    },
  ),

  ...Object.entries(notPosted).map(([title, { body, type }]) =>
    conformanceCase(
      `registration create returns 404 for ${title}, and 401 without access in the query string`,
      ['contract/registrations#create-not-posted', 'contract/errors#order-of-checks'],
      async (target) => {
        const send = (query: Parameters, path = '/registration.json') =>
          target.api.send('POST', path, {
            query,
            body,
            ...(type !== null && { headers: { 'content-type': type } }),
          });
        const accesses = [target.realm, target.application, await target.realmKey()];
        for (const access of accesses) {
          for (const suffix of ['json', 'xml', 'csv']) {
            checkError(await send(access, `/registration.${suffix}`), 404);
          }
          checkError(await send({ ...access, callback: 'show' }), 404);
        }
        checkError(await send({}), 401);
        checkError(await send({ api_key: 'unknown' }), 401);
        checkError(await send({ ...target.realm, api_key: 'unknown' }), 501);
        checkError(await send({}, '/registration.pdf'), 406);
      },
    ),
  ),

  conformanceCase(
    'registration create with a body that cannot be read returns 404 whatever the query string holds',
    ['contract/registrations#create-not-posted'],
    async (target) => {
      const learner_id = target.learner();
      const query = { ...target.realm, course_guid: await target.course(), learner_id };
      const headers = { 'content-type': 'application/json' };
      const parts = { query, headers, body: '{' };
      checkError(await target.api.send('POST', '/registration.json', parts), 404);
      const filter = { ...target.realm, learner_id };
      checkEqual(recordsOf(await target.api.get('/registration.json', filter)), [], 'created');
    },
  ),

  conformanceCase(
    'credentials in a body that cannot be read do not count: registration create returns 401',
    ['contract/errors#order-of-checks', 'contract/registrations#create-401'],
    async (target) => {
      const body = JSON.stringify({ ...target.realm, course_guid: await target.course() });
      const headers = { 'content-type': 'application/json' };
      for (const broken of [body.slice(0, -1), `[${body}]`]) {
        const parts = { body: broken, headers };
        checkError(await target.api.send('POST', '/registration.json', parts), 401);
      }
      const plain = { body, headers: { 'content-type': 'text/plain' } };
      checkError(await target.api.send('POST', '/registration.json', plain), 401);
    },
  ),

  conformanceCase(
    'registration create returns 500 for an invalid learner_id, and for a course_guid that is too long',
    ['contract/registrations#create-500', 'contract/registrations#create-learner-id'],
    async (target) => {
      const course_guid = await target.course();
      for (const learner_id of ['', 'no address', 'a@', 'a b@example.com']) {
        checkError(await create(target, { ...target.realm, course_guid, learner_id }), 500);
      }
      checkError(await create(target, { ...target.realm, course_guid }), 500);
      const long = { course_guid: 'x'.repeat(256), learner_id: target.learner() };
      checkError(await create(target, { ...target.realm, ...long }), 500);
    },
  ),

  conformanceCase(
    'registration create creates the learner as a realm user',
    ['contract/registrations#create-user', 'contract/realm-users#implicit-creation'],
    async (target) => {
      const email = target.learner();
      await target.register(await target.course(), email);
      onlyRecordOf(await target.api.get('/realm_user.json', { ...target.realm, email }));
    },
  ),

  conformanceCase(
    'registration create without dont_duplicate creates another registration',
    ['contract/registrations#create-always-new'],
    async (target) => {
      const learner = target.learner();
      const course = await target.course();
      const first = await target.register(course, learner);
      check(
        (await target.register(course, learner)) !== first,
        'the first registration was returned',
      );
    },
  ),

  conformanceCase(
    'dont_duplicate returns the existing registration of this course and learner',
    ['contract/registrations#dont-duplicate', 'contract/registrations#dont-duplicate-201'],
    async (target) => {
      const learner = target.learner();
      const course = await target.course();
      const first = await target.register(course, learner, { dont_duplicate: 't' });
      const again = await target.register(course, learner, { dont_duplicate: 't' });
      checkEqual(again, first, 'registration_guid');
      const elsewhere = await target.importCourse('elsewhere');
      const other = await target.register(elsewhere, learner, { dont_duplicate: 't' });
      check(other !== first, 'the registration for another course was returned');
    },
  ),

  transportCase(
    'concurrent creates with dont_duplicate create one registration',
    ['contract/registrations#dont-duplicate-race'],
    async (target) => {
      const learner_id = target.learner();
      const parameters = {
        ...target.realm,
        course_guid: await target.course(),
        learner_id,
        dont_duplicate: 't',
      };
      const responses = await Promise.all(
        Array.from({ length: 6 }, () => create(target, parameters)),
      );
      const guids = responses.map((response) =>
        textOf(recordOf(response, 201), 'registration_guid'),
      );
      checkEqual(new Set(guids).size, 1, 'the number of registrations returned');
      const stored = await target.api.get('/registration.json', { ...target.realm, learner_id });
      checkEqual(recordsOf(stored).length, 1, 'the number of registrations stored');
    },
  ),

  conformanceCase(
    'dont_duplicate ignores a registration that was deleted at the provider',
    ['contract/registrations#usable'],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const learner = target.learner();
      const course = await target.course();
      const first = await target.register(course, learner);
      checkEqual(await provider.deleteRegistration(first), 204, 'deletion at the provider');
      await target.api.get('/registration.json', { ...target.realm, id: first, crawl: 't' });
      const next = await target.register(course, learner, { dont_duplicate: 't' });
      check(next !== first, 'the deleted registration was returned');
    },
  ),

  transportCase(
    'check_hosted finds a registration that was created at the provider',
    ['contract/registrations#check-hosted'],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const email = target.learner();
      const [registrationId, courseId] = [target.unique('hosted'), await target.course()];
      const learner = { id: email, email, firstName: '', lastName: '' };
      checkEqual(await provider.register({ registrationId, courseId, learner }), 204, 'provider');
      const flags = { dont_duplicate: 't', check_hosted: 't' };
      checkEqual(
        await target.register(courseId, email, flags),
        registrationId,
        'registration_guid',
      );
    },
  ),

  conformanceCase(
    'fname and lname are the name of the learner at the provider',
    ['contract/registrations#fname', 'contract/registrations#lname', 'contract/registrations#guid'],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const email = target.learner();
      const name = { fname: 'Fɪrst', lname: 'Læst' };
      const guid = await target.register(await target.course(), email, name);
      const held = (await provider.registration(guid)) as { learner: Record<string, unknown> };
      const { firstName, lastName } = held.learner;
      checkEqual([firstName, lastName], [name.fname, name.lname], 'the name at the provider');
    },
  ),

  conformanceCase(
    'registration create accepts the former names of its parameters',
    ['contract/parameters#former-names', 'contract/registrations#check-hosted'],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const course_guid = await target.course();
      const former = { first_name: 'Former', last_name: 'Name', check_scorm_cloud: 'f' };
      const guid = await target.register(course_guid, target.learner(), former);
      const held = (await provider.registration(guid)) as { learner: Record<string, unknown> };
      const { firstName, lastName } = held.learner;
      checkEqual([firstName, lastName], ['Former', 'Name'], 'the name at the provider');
      const contradiction = { fname: 'Other', course_guid, learner_id: target.learner() };
      checkError(await create(target, { ...target.realm, ...former, ...contradiction }), 500);
    },
  ),

  transportCase(
    'registration create returns 403 with the error of the provider',
    [
      'contract/registrations#create-403',
      'contract/registrations#create-403-body',
      'contract/registrations#create-403-codes',
      'contract/errors#status-403',
    ],
    async (target) => {
      const { parameters, response: json } = await createRefused(target, (wanted) =>
        create(target, wanted),
      );
      checkStatus(json, 403);
      checkType(json, 'application/json');
      checkProviderError(JSON.parse(json.text));
      const { sc_secret_key, realm_secret_key } = target.facts;
      check(
        !json.text.includes(sc_secret_key),
        'the body contains the secret of the provider application',
      );
      check(!json.text.includes(realm_secret_key), 'the body contains the secret of the realm');
      const { response: xml } = await createRefused(target, (wanted) =>
        target.api.post('/registration.xml', wanted),
      );
      checkStatus(xml, 403);
      check(parseXml(xml.text).textOf('error-message'), 'no error-message in XML');
      const kept = await target.api.get('/registration.json', {
        ...target.realm,
        learner_id: parameters['learner_id'] ?? '',
      });
      checkEqual(valuesOf(kept, 'id'), [], 'registrations of the learner');
    },
  ),

  conformanceCase(
    'registration create with JSONP returns the 403 body with status 200',
    ['contract/registrations#create-403-jsonp', 'contract/formats#jsonp-errors'],
    async (target) => {
      const { response } = await createRefused(target, (wanted) =>
        target.api.get('/registration/gcreate.json', { ...wanted, callback: 'show' }),
      );
      checkStatus(response, 200);
      checkType(response, 'application/javascript');
      const [, body = ''] = /show\((.*)\)/s.exec(response.text) ?? [];
      checkProviderError(JSON.parse(body));
    },
  ),
];
