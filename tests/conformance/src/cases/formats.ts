import { check, checkEqual, checkError, checkStatus, checkType, recordsOf } from '../checks.ts';
import { conformanceCase } from '../conformance-case.ts';
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

/** Addresses and the choice of a format (contract/formats#format). */
export const formatCases = [
  ...formats.map((format) =>
    conformanceCase(
      `the suffix .${format} selects the format`,
      ['contract/formats#suffix', 'contract/errors#status-200'],
      async (target) => {
        const response = await target.api.get(`/course.${format}`, target.realm);
        checkStatus(response, 200);
        checkType(response, types[format]);
        checkEqual(response.headers.get('deprecation'), null, 'Deprecation header');
      },
    ),
  ),

  conformanceCase(
    'a slash at the end of a path is ignored',
    ['contract/formats#trailing-slash'],
    async (target) => {
      const query = { ...target.realm, fields: 'id' };
      for (const path of ['/course/', '/course.json/', '/registration.csv/']) {
        checkStatus(await target.api.get(path, query), 200);
      }
    },
  ),

  conformanceCase(
    'an Accept header of a browser selects JSON',
    ['contract/formats#accept-html'],
    async (target) => {
      const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      const response = await target.api.get('/course', target.realm, { accept });
      checkType(response, types.json);
    },
  ),

  conformanceCase(
    '/health_check returns 200 outside of the API root, for pages of every origin',
    ['contract/formats#health-check'],
    async (target) => {
      const origin = 'https://client.example.com';
      const url = new URL('/health_check', target.facts.base_url);
      const response = await fetch(url, { headers: { origin } });
      checkEqual([response.status, await response.text()], [200, 'ok\n'], url.pathname);
      checkEqual(response.headers.get('access-control-allow-origin'), '*', 'the allowed origin');
    },
  ),

  conformanceCase(
    'a request without a suffix returns JSON and a Deprecation header',
    ['contract/formats#no-suffix', 'contract/formats#accept-header'],
    async (target) => {
      const response = await target.api.get('/course', target.realm);
      checkStatus(response, 200);
      checkType(response, 'application/json');
      check(response.headers.get('deprecation'), `${response.request}: no Deprecation header`);
    },
  ),

  conformanceCase(
    'without a suffix, the parameter format takes precedence over the Accept header',
    ['contract/formats#format-parameter'],
    async (target) => {
      for (const format of formats) {
        const accept = { accept: 'application/json' };
        const response = await target.api.get('/course', { ...target.realm, format }, accept);
        checkStatus(response, 200);
        checkType(response, types[format]);
      }
    },
  ),

  conformanceCase(
    'without a suffix and format, the Accept header selects the format',
    ['contract/formats#accept-header'],
    async (target) => {
      const wanted = {
        'application/json': 'application/json',
        'application/xml': 'application/xml',
        'text/xml': 'application/xml',
        'text/csv': 'text/csv',
        'text/plain, application/xml;q=0.9, */*;q=0.1': 'application/xml',
        'image/png': 'application/json',
      };
      for (const [accept, type] of Object.entries(wanted)) {
        const response = await target.api.get('/course', target.realm, { accept });
        checkStatus(response, 200);
        checkEqual(response.type, type, `Content-Type for Accept: ${accept}`);
      }
    },
  ),

  conformanceCase(
    'the suffix takes precedence over the parameter format',
    ['contract/formats#suffix-before-format'],
    async (target) => {
      const response = await target.api.get('/course.xml', { ...target.realm, format: 'csv' });
      checkStatus(response, 200);
      checkType(response, 'application/xml');
    },
  ),

  conformanceCase(
    'an unknown suffix or format returns 406',
    ['contract/formats#unknown-format', 'contract/errors#status-406'],
    async (target) => {
      for (const path of ['/course.pdf', '/registration.html', '/course.JSON']) {
        checkError(await target.api.get(path, target.realm), 406);
      }
      checkError(await target.api.post('/registration.txt', target.realm), 406);
      checkError(await target.api.get('/course', { ...target.realm, format: 'pdf' }), 406);
      checkError(await target.api.get('/course.json', { ...target.realm, format: 'yaml' }), 406);
    },
  ),

  ...Object.entries(roots).map(([resource, root]) =>
    conformanceCase(
      `the XML list of ${resource} has the root ${root}`,
      ['contract/formats#xml-list-root', 'contract/formats#operation-index'],
      async (target) => {
        const response = await target.api.get(`/${resource}.xml`, target.realm);
        checkStatus(response, 200);
        const { name, attributes, children } = parseXml(response.text);
        checkEqual([name, attributes['type']], [root, 'array'], 'root and type');
        const singular = root.replace(/s$/, '');
        check(
          children.every((child) => child.name === singular),
          `an element of the list is no ${singular}`,
        );
      },
    ),
  ),

  conformanceCase(
    'an index that matches nothing returns an empty list in every format',
    ['contract/formats#empty-list', 'contract/errors#status-200'],
    async (target) => {
      const nothing = { ...target.realm, title: target.unique('no-such-title') };
      const json = await target.api.get('/course.json', nothing);
      checkType(json, 'application/json');
      checkEqual(json.text, '[]', json.request);
      checkEqual(recordsOf(json), [], json.request);
      const xml = parseXml((await target.api.get('/course.xml', nothing)).text);
      checkEqual([xml.name, xml.children.length], ['courses', 0], 'the empty list in XML');
      const csv = await target.api.get('/course.csv', nothing);
      checkEqual(parseCsv(csv.text), [], csv.request);
      check(csv.text.startsWith('id,'), `${csv.request}: no header row`);
    },
  ),

  conformanceCase(
    'the API root contains the segment v2, and nothing is served outside of it',
    ['contract/formats#version', 'contract/formats#api-root'],
    async (target) => {
      const { pathname, origin } = new URL(target.facts.base_url);
      check(pathname.split('/').includes('v2'), `the API root ${pathname} has no segment v2`);
      const outside = await fetch(`${origin}/course.json`, { signal: AbortSignal.timeout(30_000) });
      checkEqual([outside.status, await outside.text()], [404, ''], 'a path outside the API root');
    },
  ),

  conformanceCase(
    'an unknown path returns 404 with an empty body',
    ['contract/errors#unknown-path'],
    async (target) => {
      checkError(await target.api.get('/no_such_thing.json', target.realm), 404);
    },
  ),
];
