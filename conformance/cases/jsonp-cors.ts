import { check, checkEqual, checkRefused, checkStatus, checkType, recordsOf } from '../checks.ts';
import { trial } from '../conformance-case.ts';

const origin = 'https://client.example.com';
const allowed = 'access-control-allow-origin';

/** Evaluates a JSONP answer's text: the argument of the call. */
function argumentOf(text: string, callback: string): unknown {
  const call = text.replace(/^\/\*\*\//, '').trim();
  check(call.startsWith(`${callback}(`), `it calls no ${callback}: ${text.slice(0, 80)}`);
  return JSON.parse(call.slice(callback.length + 1, call.lastIndexOf(')')));
}

/** Answers for pages in a browser. */
export const jsonpAndCorsCases = [
  trial('callback wraps JSON into a call, as a script', ['decision 9'], async (on) => {
    const filter = { ...(await on.realmKey()), course_guid: await on.course() };
    const plain = recordsOf(await on.api.get('/course.json', filter));
    for (const path of ['/course.json', '/course']) {
      const answer = await on.api.get(path, { ...filter, callback: 'app.show' });
      checkStatus(answer, 200);
      checkType(answer, 'application/javascript');
      checkEqual(answer.headers.get('x-content-type-options'), 'nosniff', 'nosniff');
      checkEqual(argumentOf(answer.text, 'app.show'), plain, 'the argument');
    }
  }),

  trial('jQuery’s own names are callbacks', ['decision 9', 'decision 6'], async (on) => {
    const callback = 'jQuery36409265_1700000000000';
    const key = await on.realmKey();
    const asked = { ...key, callback, _: '1700000000001', fields: 'id', title: 'none' };
    const answer = await on.api.get('/course.json', asked);
    checkEqual(argumentOf(answer.text, callback), [], 'the argument');
  }),

  trial(
    'a callback is a dotted identifier of at most 64 characters',
    ['decision 9'],
    async (on) => {
      const key = { ...(await on.realmKey()), fields: 'id' };
      for (const callback of ['alert(1)', 'a-b', '1a', 'a..b', '.a', 'a b', 'x'.repeat(65)]) {
        checkRefused(await on.api.get('/course.json', { ...key, callback }), 500);
      }
      const longest = 'x'.repeat(64);
      checkStatus(await on.api.get('/course.json', { ...key, callback: longest }), 200);
    },
  ),

  trial('callback leaves XML and CSV alone', ['decision 9'], async (on) => {
    const asked = { ...(await on.realmKey()), callback: 'show', fields: 'id' };
    checkType(await on.api.get('/course.xml', asked), 'application/xml');
    checkType(await on.api.get('/course.csv', asked), 'text/csv');
  }),

  trial('a single record is wrapped too', ['decision 9'], async (on) => {
    const asked = { ...on.realm, callback: 'show' };
    const answer = await on.api.get('/api_key/gcreate.json', asked);
    checkStatus(answer, 201);
    const key = argumentOf(answer.text, 'show') as Record<string, unknown>;
    check(typeof key['access_token'] === 'string', 'there is no access_token');
  }),

  trial('with a realm or provider pair it works', ['decision 9'], async (on) => {
    for (const pair of [on.realm, on.application]) {
      const answer = await on.api.get('/course.json', { ...pair, callback: 'show', title: 'none' });
      checkStatus(answer, 200);
      checkEqual(argumentOf(answer.text, 'show'), [], 'the argument');
    }
  }),

  trial(
    'answers to an API key may be read by pages of every origin',
    ['decision 10', 'api-v2: Authentication, 5'],
    async (on) => {
      const key = { ...(await on.realmKey()), fields: 'id', title: 'none' };
      const answer = await on.api.get('/course.json', key, { origin });
      checkStatus(answer, 200);
      const value = answer.headers.get(allowed);
      check(value === '*' || value === origin, `${allowed} is ${String(value)}`);
      const refused = await on.api.get('/course.json', { api_key: 'unknown' }, { origin });
      checkRefused(refused, 401);
      check(refused.headers.get(allowed), 'a page cannot see the status of a refusal');
    },
  ),

  trial(
    'answers to a secret pair may not',
    ['decision 10', 'api-v2: Authentication, 5'],
    async (on) => {
      for (const pair of [on.realm, on.application]) {
        const asked = { ...pair, title: 'none' };
        const answer = await on.api.get('/course.json', asked, { origin });
        checkStatus(answer, 200);
        checkEqual(answer.headers.get(allowed), null, allowed);
      }
    },
  ),

  trial('preflight requests need no access mode', ['decision 10'], async (on) => {
    for (const path of ['/course.json', '/registration.json', '/registration/gcreate.json']) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const answer = await on.api.send('OPTIONS', path, { headers });
      check(answer.status === 200 || answer.status === 204, `the status is ${answer.status}`);
      check(answer.headers.get(allowed), `there is no ${allowed}`);
      const methods = answer.headers.get('access-control-allow-methods') ?? '';
      for (const method of ['GET', 'POST', 'PUT']) {
        check(methods.includes(method), `${method} is not among ${methods}`);
      }
    }
  }),
];
