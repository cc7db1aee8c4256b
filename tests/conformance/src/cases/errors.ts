import { check, checkEqual, checkError, checkStatus, recordOf, recordsOf } from '../checks.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';

/** Errors and headers that every operation has (contract/errors#statuses). */
export const errorCases = [
  conformanceCase(
    'every error has an empty body and no content type',
    ['contract/errors#empty-body', 'contract/access#cause-of-401'],
    async (target) => {
      const responses = [
        [406, await target.api.get('/course.pdf', target.realm)],
        [401, await target.api.get('/course.json', {})],
        [501, await target.api.get('/course.json', { ...target.realm, ...target.application })],
        [500, await target.api.get('/course.json', { ...target.realm, color: 'blue' })],
        [404, await target.api.get('/registration/unknown/launch_url.json', target.realm)],
      ] as const;
      for (const [status, response] of responses) {
        checkError(response, status);
        checkEqual(response.type, null, `Content-Type of ${status}`);
      }
    },
  ),

  conformanceCase(
    'responses to a valid access state the limits of its requests, where there are any',
    ['contract/errors#rate-limit-headers'],
    async (target) => {
      const valid = await target.api.get('/course.json', target.realm);
      const policy = valid.headers.get('ratelimit-policy') ?? '';
      check(/^("realm";q=\d+;w=2)?$/.test(policy), `RateLimit-Policy is ${policy}`);
      const state = valid.headers.get('ratelimit') ?? '';
      check(/^("realm";r=\d+;t=\d+)?$/.test(state), `RateLimit is ${state}`);
      checkEqual(state === '', policy === '', 'RateLimit without RateLimit-Policy');
      for (const access of [target.application, await target.realmKey()]) {
        const { headers } = await target.api.get('/course.json', access);
        const ofKey = headers.get('ratelimit-policy') ?? '';
        const policies = /^("realm";q=\d+;w=2)?(, )?("key";q=\d+;w=2)?$/;
        check(policies.test(ofKey), `RateLimit-Policy is ${ofKey}`);
        const left = headers.get('ratelimit') ?? '';
        const states = /^("realm";r=\d+;t=\d+)?(, )?("key";r=\d+;t=\d+)?$/;
        check(states.test(left), `RateLimit is ${left}`);
      }
      const none = await target.api.get('/course.json', {});
      checkEqual(none.headers.get('ratelimit'), null, 'RateLimit of a 401');
    },
  ),

  conformanceCase(
    'an unknown path and an unknown method return 404, and the latter names the methods',
    [
      'contract/errors#unknown-path',
      'contract/errors#unknown-method',
      'contract/errors#status-404',
    ],
    async (target) => {
      checkError(await target.api.get('/unknown.json', target.realm), 404);
      checkError(await target.api.post('/unknown.json', target.realm), 404);
      const patched = await target.api.send('PATCH', '/course.json', { query: target.realm });
      checkError(patched, 404);
      const allow = patched.headers.get('allow') ?? '';
      check(allow.includes('GET') && allow.includes('POST'), `Allow is ${allow}`);
    },
  ),

  conformanceCase(
    'HEAD returns the status of GET, and 405 where GET changes something',
    ['contract/errors#head', 'contract/errors#status-405'],
    async (target) => {
      const list = await target.api.send('HEAD', '/course.json', { query: target.realm });
      checkStatus(list, 200);
      const learner_id = target.learner();
      const query = { ...target.realm, course_guid: await target.course(), learner_id };
      const head = await target.api.send('HEAD', '/registration/gcreate.json', { query });
      checkError(head, 405);
      check(head.headers.get('allow')?.includes('GET'), 'Allow does not name GET');
      const filter = { ...target.realm, learner_id };
      checkEqual(recordsOf(await target.api.get('/registration.json', filter)), [], 'created');
      const id = await target.register(await target.course());
      const launch = `/registration/${id}/launch_url.json`;
      checkError(await target.api.send('HEAD', launch, { query: target.realm }), 405);
    },
  ),

  conformanceCase(
    'every response forbids caches to store it',
    ['contract/errors#no-store'],
    async (target) => {
      const id = await target.register(await target.course());
      const responses = [
        await target.api.get('/course.json', target.realm),
        await target.api.get(`/registration/${id}/launch_url.json`, target.realm),
        await target.api.post('/api_key.json', target.realm),
        await target.api.get('/course.json', {}),
      ];
      for (const { headers, request } of responses) {
        checkEqual(headers.get('cache-control'), 'no-store', `Cache-Control of ${request}`);
      }
    },
  ),

  conformanceCase(
    'data that are older than a change state their age, and a client that refuses them gets current ones',
    [
      'contract/errors#age',
      'contract/errors#age-operations',
      'contract/errors#age-refused',
      'contract/registrations#index-age',
      'contract/stored-queries#run-age',
    ],
    async (target) => {
      const course = await target.course();
      const id = await target.register(course);
      const query = { ...target.realm, course_guid: course, fields: 'registration_guid' };
      const report = { ...target.realm, name: 'completion_by_course', query_scope: 'bright' };
      const lists = [['/registration.json', query] as const, ['/run.json', report] as const];
      for (const [path, parameters] of lists) {
        const { headers, request } = await target.api.get(path, parameters);
        const age = headers.get('age');
        check(
          age === null || (/^\d+$/.test(age) && Number(age) <= 60),
          `${request}: Age is ${age}`,
        );
        for (const refusal of ['no-cache', 'max-age=0']) {
          const current = await target.api.get(path, parameters, { 'cache-control': refusal });
          checkEqual(current.headers.get('age'), null, `Age of ${current.request}, ${refusal}`);
          if (path === '/run.json') continue;
          const guids = recordsOf(current).map((record) => record['registration_guid']);
          check(
            guids.includes(id),
            `${current.request}, ${refusal}: the new registration is missing`,
          );
        }
      }
      const always = [
        [`/registration/${id}.json`, target.realm],
        ['/registration.json', { ...query, registration_guid: id }],
        ['/registration.json', { ...query, last_only: 't' }],
        ['/registration.json', { ...query, refresh_if_launched: 't' }],
        ['/course.json', target.realm],
      ] as const;
      for (const [path, parameters] of always) {
        const response = await target.api.get(path, parameters);
        checkStatus(response, 200);
        checkEqual(response.headers.get('age'), null, `Age of ${response.request}`);
      }
    },
  ),

  transportCase(
    'a client that has a response gets 304 until it changes',
    ['contract/errors#etag', 'contract/errors#status-304'],
    async (target) => {
      const course = await target.importCourse('etag', { title: 'Tags' });
      const query = { ...target.realm, fields: 'title,custom' };
      const shows = [
        [`/course/${course}.json`, query],
        ['/course.csv', { ...query, course_guid: course }],
        ['/template.xml', { ...target.realm, name: 'none' }],
      ] as const;
      for (const [path, parameters] of shows) {
        const first = await target.api.get(path, parameters);
        const etag = first.headers.get('etag') ?? '';
        check(etag !== '', `${path}: no ETag`);
        for (const known of [etag, `"other", ${etag}`, `W/${etag}`]) {
          const again = await target.api.get(path, parameters, { 'if-none-match': known });
          checkEqual(again.status, 304, `${again.request} with If-None-Match ${known}`);
          checkEqual(again.text, '', 'body');
        }
        const other = await target.api.get(path, parameters, { 'if-none-match': '"other"' });
        checkEqual(other.text, first.text, 'body');
      }
      const [path, parameters] = shows[0];
      const before = (await target.api.get(path, parameters)).headers.get('etag') ?? '';
      await target.api.put(path, { ...target.realm, custom: 'changed' });
      const after = await target.api.get(path, parameters, { 'if-none-match': before });
      checkEqual(recordOf(after, 200), { title: 'Tags', custom: 'changed' }, 'record');
    },
  ),

  conformanceCase(
    'errors are the same in every format',
    ['contract/errors#empty-body'],
    async (target) => {
      for (const format of ['json', 'xml', 'csv']) {
        checkError(await target.api.get(`/course.${format}`, {}), 401);
        checkError(await target.api.get(`/course.${format}`, { ...target.realm, color: 'x' }), 500);
      }
    },
  ),

  conformanceCase(
    'responses carry nosniff and a request id',
    ['contract/formats#jsonp-type', 'contract/errors#request-id'],
    async (target) => {
      const id = target.unique('request').slice(0, 64);
      const response = await target.api.get('/course.json', target.realm, { 'x-request-id': id });
      checkEqual(response.headers.get('x-content-type-options'), 'nosniff', 'nosniff');
      checkEqual(response.headers.get('x-request-id'), id, 'X-Request-Id');
    },
  ),

  conformanceCase(
    'no response contains a secret, apart from api_key create',
    [
      'contract/access#keys-in-browsers',
      'contract/course-providers#no-secrets',
      'contract/api-keys#shown-once',
    ],
    async (target) => {
      const { realm_secret_key, sc_secret_key } = target.facts;
      for (const path of ['/course', '/registration', '/realm_user', '/course_provider']) {
        const { text } = await target.api.get(`${path}.json`, target.realm);
        check(!text.includes(realm_secret_key), `${path} contains the secret of the realm`);
        check(
          !text.includes(sc_secret_key),
          `${path} contains the secret of the provider application`,
        );
      }
    },
  ),

  transportCase(
    'ten concurrent requests are served, or get 503 with Retry-After',
    ['contract/errors#status-503'],
    async (target) => {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () =>
          target.api.get('/course.json', { ...target.realm, fields: 'id' }),
        ),
      );
      for (const response of responses) {
        const { status, headers } = response;
        if (status === 503) check(Number(headers.get('retry-after')) > 0, 'no Retry-After');
        else checkEqual(status, 200, response.request);
      }
    },
  ),
];
