import { check, checkEqual, checkError, checkStatus, checkType, recordsOf } from '../checks.ts';
import { conformanceCase } from '../conformance-case.ts';

const origin = 'https://client.example.com';
const allowed = 'access-control-allow-origin';

/** The argument of the call in a JSONP response. */
function argumentOf(text: string, callback: string): unknown {
  const call = text.replace(/^\/\*\*\//, '').trim();
  check(call.startsWith(`${callback}(`), `the text calls no ${callback}: ${text.slice(0, 80)}`);
  return JSON.parse(call.slice(callback.length + 1, call.lastIndexOf(')')));
}

/** Responses to pages in a browser (contract/formats#jsonp, contract/access#browsers). */
export const jsonpAndCorsCases = [
  conformanceCase(
    'callback wraps JSON into a call, with the type of a script',
    ['contract/formats#jsonp-callback', 'contract/formats#jsonp-type'],
    async (target) => {
      // Of its own: other cases add registrations to a course that they share, and so change its record.
      const course_guid = await target.importCourse('callback');
      const filter = { ...(await target.realmKey()), course_guid };
      const plain = recordsOf(await target.api.get('/course.json', filter));
      for (const path of ['/course.json', '/course']) {
        const response = await target.api.get(path, { ...filter, callback: 'app.show' });
        checkStatus(response, 200);
        checkType(response, 'application/javascript');
        checkEqual(response.headers.get('x-content-type-options'), 'nosniff', 'nosniff');
        checkEqual(argumentOf(response.text, 'app.show'), plain, 'the argument');
      }
    },
  ),

  conformanceCase(
    'accepts the callback names and the cache buster of jQuery',
    ['contract/formats#jsonp-names', 'contract/parameters#general-parameters'],
    async (target) => {
      const callback = 'jQuery36409265_1700000000000';
      const key = await target.realmKey();
      const query = { ...key, callback, _: '1700000000001', fields: 'id', title: 'none' };
      const response = await target.api.get('/course.json', query);
      checkEqual(argumentOf(response.text, callback), [], 'the argument');
    },
  ),

  conformanceCase(
    'a callback that is no dotted identifier of at most 64 characters returns 500',
    ['contract/formats#jsonp-names'],
    async (target) => {
      const key = { ...(await target.realmKey()), fields: 'id' };
      for (const callback of ['alert(1)', 'a-b', '1a', 'a..b', '.a', 'a b', 'x'.repeat(65)]) {
        checkError(await target.api.get('/course.json', { ...key, callback }), 500);
      }
      const longest = 'x'.repeat(64);
      checkStatus(await target.api.get('/course.json', { ...key, callback: longest }), 200);
    },
  ),

  conformanceCase(
    'callback does not wrap XML and CSV',
    ['contract/formats#jsonp-other-formats'],
    async (target) => {
      const query = { ...(await target.realmKey()), callback: 'show', fields: 'id' };
      checkType(await target.api.get('/course.xml', query), 'application/xml');
      checkType(await target.api.get('/course.csv', query), 'text/csv');
    },
  ),

  conformanceCase(
    'callback wraps a single record',
    ['contract/formats#jsonp-callback'],
    async (target) => {
      const query = { ...target.realm, callback: 'show' };
      const response = await target.api.get('/api_key/gcreate.json', query);
      checkStatus(response, 201);
      const key = argumentOf(response.text, 'show') as Record<string, unknown>;
      check(typeof key['access_token'] === 'string', 'there is no access_token');
    },
  ),

  conformanceCase(
    'callback works with a realm pair and a provider pair',
    ['contract/formats#jsonp-secrets'],
    async (target) => {
      for (const pair of [target.realm, target.application]) {
        const response = await target.api.get('/course.json', {
          ...pair,
          callback: 'show',
          title: 'none',
        });
        checkStatus(response, 200);
        checkEqual(argumentOf(response.text, 'show'), [], 'the argument');
      }
    },
  ),

  conformanceCase(
    'responses to requests without a secret key, errors included, allow every origin',
    [
      'contract/access#cors-origins',
      'contract/access#cors-headers',
      'contract/access#keys-in-browsers',
      'contract/access#unbound-keys-in-browsers',
    ],
    async (target) => {
      const key = { ...(await target.realmKey()), fields: 'id', title: 'none' };
      const response = await target.api.get('/course.json', key, { origin });
      checkStatus(response, 200);
      const value = response.headers.get(allowed);
      check(value === '*' || value === origin, `${allowed} is ${String(value)}`);
      const refused = await target.api.get('/course.json', { api_key: 'unknown' }, { origin });
      checkError(refused, 401);
      const unknown = await target.api.get('/unknown.json', {}, { origin });
      const anonymous = await target.api.get('/course.json', {}, { origin });
      for (const { headers, request } of [refused, unknown, anonymous]) {
        check(headers.get(allowed), `${request}: a page cannot see the status of a refusal`);
        const exposed = headers.get('access-control-expose-headers') ?? '';
        check(exposed.includes('X-Request-Id'), `${request}: X-Request-Id is not exposed`);
      }
    },
  ),

  conformanceCase(
    'responses to a secret pair allow no origin',
    ['contract/access#cors-pairs', 'contract/access#keys-in-browsers'],
    async (target) => {
      for (const pair of [target.realm, target.application]) {
        const query = { ...pair, title: 'none' };
        const response = await target.api.get('/course.json', query, { origin });
        checkStatus(response, 200);
        checkEqual(response.headers.get(allowed), null, allowed);
      }
      const { realm_guid, realm_secret_key } = target.facts;
      const pair = Buffer.from(`${realm_guid}:${realm_secret_key}`).toString('base64');
      const headers = { origin, authorization: `Basic ${pair}` };
      const response = await target.api.get('/course.json', { title: 'none' }, headers);
      checkStatus(response, 200);
      checkEqual(response.headers.get(allowed), null, allowed);
    },
  ),

  conformanceCase(
    'preflight requests need no access mode',
    ['contract/access#cors-preflight', 'contract/errors#status-204'],
    async (target) => {
      for (const path of ['/course.json', '/registration.json', '/registration/gcreate.json']) {
        const headers = {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        };
        const response = await target.api.send('OPTIONS', path, { headers });
        checkStatus(response, 204);
        check(response.headers.get(allowed), `there is no ${allowed}`);
        const names = response.headers.get('access-control-allow-headers');
        checkEqual(names, 'authorization', 'the allowed headers');
        const methods = response.headers.get('access-control-allow-methods') ?? '';
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          check(methods.includes(method), `${method} is not among ${methods}`);
        }
      }
    },
  ),
];
