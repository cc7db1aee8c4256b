import { check, checkEqual, checkError } from '../checks.ts';
import { conformanceCase } from '../conformance-case.ts';

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
        [500, await target.api.get('/course.json', { ...target.realm, colour: 'blue' })],
        [404, await target.api.get('/registration/unknown/launch_url.json', target.realm)],
      ] as const;
      for (const [status, response] of responses) {
        checkError(response, status);
        checkEqual(response.type, null, `Content-Type of ${status}`);
      }
    },
  ),

  conformanceCase(
    'errors are the same in every format',
    ['contract/errors#empty-body'],
    async (target) => {
      for (const format of ['json', 'xml', 'csv']) {
        checkError(await target.api.get(`/course.${format}`, {}), 401);
        checkError(
          await target.api.get(`/course.${format}`, { ...target.realm, colour: 'x' }),
          500,
        );
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

  conformanceCase(
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
