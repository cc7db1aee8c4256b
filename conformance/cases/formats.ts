import { check, checkEqual, checkRefused, checkStatus, checkType, recordsOf } from '../checks.ts';
import { trial } from '../conformance-case.ts';
import { parseCsv, parseXml } from '../readers.ts';

const types = { json: 'application/json', xml: 'application/xml', csv: 'text/csv' } as const;
const formats = ['json', 'xml', 'csv'] as const;
const roots = {
  course: 'courses',
  registration: 'registrations',
  realm_user: 'realm-users',
  invitation: 'invitations',
  template: 'templates',
} as const;

/** How the format of an answer is chosen. */
export const formatCases = [
  ...formats.map((format) =>
    trial(
      `the suffix .${format} states the format`,
      ['api-v2: General rules, 1', 'api-v2: Versioning, suffix', 'api-v2: Course: index, 200'],
      async (on) => {
        const answer = await on.api.get(`/course.${format}`, on.realm);
        checkStatus(answer, 200);
        checkType(answer, types[format]);
        checkEqual(answer.headers.get('deprecation'), null, 'Deprecation header');
      },
    ),
  ),

  trial(
    'a request without a suffix is answered as JSON, and marked as deprecated',
    ['api-v2: General rules, 2', 'api-v2: Versioning, suffix', 'decision 3'],
    async (on) => {
      const answer = await on.api.get('/course', on.realm);
      checkStatus(answer, 200);
      checkType(answer, 'application/json');
      check(answer.headers.get('deprecation'), `${answer.request}: no Deprecation header`);
    },
  ),

  trial(
    'without a suffix the parameter format decides, before the Accept header',
    ['api-v2: General rules, 3', 'decision 3'],
    async (on) => {
      for (const format of formats) {
        const accept = { accept: 'application/json' };
        const answer = await on.api.get('/course', { ...on.realm, format }, accept);
        checkStatus(answer, 200);
        checkType(answer, types[format]);
      }
    },
  ),

  trial('without either the Accept header decides', ['decision 3'], async (on) => {
    const wanted = {
      'application/json': 'application/json',
      'application/xml': 'application/xml',
      'text/xml': 'application/xml',
      'text/csv': 'text/csv',
      'text/html, application/xml;q=0.9, */*;q=0.1': 'application/xml',
      'image/png': 'application/json',
    };
    for (const [accept, type] of Object.entries(wanted)) {
      const answer = await on.api.get('/course', on.realm, { accept });
      checkStatus(answer, 200);
      checkEqual(answer.type, type, `Content-Type for Accept: ${accept}`);
    }
  }),

  trial('the suffix wins over the parameter format', ['decision 3'], async (on) => {
    const answer = await on.api.get('/course.xml', { ...on.realm, format: 'csv' });
    checkStatus(answer, 200);
    checkType(answer, 'application/xml');
  }),

  trial(
    'a suffix or format that is none of the three is not acceptable',
    ['api-v2: Errors, 406', 'decision 3'],
    async (on) => {
      for (const path of ['/course.pdf', '/registration.html', '/course.JSON']) {
        checkRefused(await on.api.get(path, on.realm), 406);
      }
      checkRefused(await on.api.post('/registration.txt', on.realm), 406);
      checkRefused(await on.api.get('/course', { ...on.realm, format: 'pdf' }), 406);
      checkRefused(await on.api.get('/course.json', { ...on.realm, format: 'yaml' }), 406);
    },
  ),

  ...Object.entries(roots).map(([resource, root]) =>
    trial(
      `the list of ${resource} in XML has the root ${root}`,
      ['decision 8', 'api-v2: Operation names, index'],
      async (on) => {
        const answer = await on.api.get(`/${resource}.xml`, on.realm);
        checkStatus(answer, 200);
        const { name, attributes, children } = parseXml(answer.text);
        checkEqual([name, attributes['type']], [root, 'array'], 'root and type');
        const singular = root.replace(/s$/, '');
        check(
          children.every((child) => child.name === singular),
          `an element of the list is no ${singular}`,
        );
      },
    ),
  ),

  trial(
    'nothing found is an empty list in every format',
    ['api-v2: Course: index, empty list', 'api-v2: Errors, 200'],
    async (on) => {
      const nothing = { ...on.realm, title: on.unique('no-such-title') };
      const json = await on.api.get('/course.json', nothing);
      checkType(json, 'application/json');
      checkEqual(json.text, '[]', json.request);
      checkEqual(recordsOf(json), [], json.request);
      const xml = parseXml((await on.api.get('/course.xml', nothing)).text);
      checkEqual([xml.name, xml.children.length], ['courses', 0], 'the empty list in XML');
      const csv = await on.api.get('/course.csv', nothing);
      checkEqual(parseCsv(csv.text), [], csv.request);
      check(csv.text.startsWith('id,'), `${csv.request}: no header row`);
    },
  ),

  trial(
    'the version is part of the path, and nothing is served outside the API root',
    ['api-v2: Versioning, path', 'decision 1'],
    async (on) => {
      const { pathname, origin } = new URL(on.facts.base_url);
      check(pathname.split('/').includes('v2'), `the API root ${pathname} has no segment v2`);
      const outside = await fetch(`${origin}/course.json`, { signal: AbortSignal.timeout(30_000) });
      checkEqual([outside.status, await outside.text()], [404, ''], 'a path outside the API root');
    },
  ),

  trial('an unknown path is answered 404 with an empty body', ['decision 1'], async (on) => {
    checkRefused(await on.api.get('/no_such_thing.json', on.realm), 404);
  }),
];
