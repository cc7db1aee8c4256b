import { check, checkEqual, checkRefused } from '../checks.ts';
import { trial } from '../conformance-case.ts';

/** What every error has in common (api-v2.md, Errors). */
export const errorCases = [
  trial(
    'every error has an empty body and no content type',
    ['api-v2: Errors, empty body', 'api-v2: Authentication, 7'],
    async (on) => {
      const answers = [
        [406, await on.api.get('/course.pdf', on.realm)],
        [401, await on.api.get('/course.json', {})],
        [501, await on.api.get('/course.json', { ...on.realm, ...on.application })],
        [500, await on.api.get('/course.json', { ...on.realm, colour: 'blue' })],
        [404, await on.api.get('/registration/unknown/launch_url.json', on.realm)],
      ] as const;
      for (const [status, answer] of answers) {
        checkRefused(answer, status);
        checkEqual(answer.type, null, `Content-Type of ${status}`);
      }
    },
  ),

  trial('errors look the same in every format', ['api-v2: Errors, empty body'], async (on) => {
    for (const format of ['json', 'xml', 'csv']) {
      checkRefused(await on.api.get(`/course.${format}`, {}), 401);
      checkRefused(await on.api.get(`/course.${format}`, { ...on.realm, colour: 'x' }), 500);
    }
  }),

  trial(
    'answers say that their type is not to be guessed, and name the request',
    ['decision 9'],
    async (on) => {
      const id = on.unique('request').slice(0, 64);
      const answer = await on.api.get('/course.json', on.realm, { 'x-request-id': id });
      checkEqual(answer.headers.get('x-content-type-options'), 'nosniff', 'nosniff');
      checkEqual(answer.headers.get('x-request-id'), id, 'X-Request-Id');
    },
  ),

  trial(
    'no answer tells a secret, an API key’s own create apart',
    ['api-v2: Authentication, 5', 'decision 28'],
    async (on) => {
      const { realm_secret_key, sc_secret_key } = on.facts;
      for (const path of ['/course', '/registration', '/realm_user', '/course_provider']) {
        const { text } = await on.api.get(`${path}.json`, on.realm);
        check(!text.includes(realm_secret_key), `${path} tells the realm’s secret`);
        check(!text.includes(sc_secret_key), `${path} tells the application’s secret`);
      }
    },
  ),

  trial(
    'ten requests at once are answered, or told when to come again',
    ['decision 11'],
    async (on) => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => on.api.get('/course.json', { ...on.realm, fields: 'id' })),
      );
      for (const answer of answers) {
        const { status, headers } = answer;
        if (status === 503) check(Number(headers.get('retry-after')) > 0, 'no Retry-After');
        else checkEqual(status, 200, answer.request);
      }
    },
  ),
];
