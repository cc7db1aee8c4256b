import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  checkType,
  recordOf,
  recordsOf,
} from '../checks.ts';
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

/** The methods of the paths that end with the number of a record. */
const methodsOfNumbers = {
  realm_user: ['PUT', 'POST'],
  template: ['PUT', 'POST', 'DELETE'],
  invitation: ['GET', 'PUT', 'POST', 'DELETE'],
  api_key: ['DELETE'],
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

  ...Object.entries(methodsOfNumbers).map(([resource, methods]) =>
    conformanceCase(
      `an unknown suffix after the number of a record returns 406: ${resource}`,
      ['contract/formats#suffix-after-number', 'contract/errors#status-406'],
      async (target) => {
        for (const id of ['1', '2147483647', 'none']) {
          for (const suffix of ['xls', 'pdf', 'JSON', 'tar.json', 'json.xls', '']) {
            for (const method of methods) {
              const path = `/${resource}/${id}.${suffix}`;
              checkError(await target.api.send(method, path, { query: target.realm }), 406);
              checkError(await target.api.send(method, path, {}), 406);
            }
          }
        }
        if (resource === 'api_key') return;
        const update = `/${resource}/gupdate/1`;
        checkError(await target.api.get(`${update}.xls`, target.realm), 406);
      },
    ),
  ),

  conformanceCase(
    'a suffix after the number of a record selects the format',
    ['contract/formats#suffix-after-number', 'contract/formats#suffix'],
    async (target) => {
      const name = target.unique('suffix');
      const created = await target.api.post('/invitation.json', { ...target.realm, name });
      const id = Number(recordOf(created, 201)['id']);
      for (const [suffix, type] of Object.entries(types)) {
        const shown = await target.api.get(`/invitation/${id}.${suffix}`, target.realm);
        checkStatus(shown, 200);
        checkType(shown, type);
      }
      checkError(await target.api.get('/invitation/2147483647.json', target.realm), 404);
    },
  ),

  conformanceCase(
    'a GUID can contain dots: only json, xml and csv are a suffix after it',
    ['contract/formats#suffix-after-guid'],
    async (target) => {
      const plain = await target.importCourse('dots');
      const named = async (ending: string) => {
        const course_guid = `${plain}.${ending}`;
        await target.uploadCourse({ course_guid });
        return course_guid;
      };
      const guids = { pdf: await named('v1.pdf'), xml: await named('xml') };
      const shown = async (path: string) => {
        const query = { ...target.realm, fields: 'course_guid', format: 'json' };
        return recordOf(await target.api.get(`/course/${path}`, query))['course_guid'];
      };
      for (const guid of [plain, guids.pdf]) {
        checkEqual(await shown(guid), guid, 'without a suffix');
        checkEqual(await shown(`${guid}.json`), guid, 'with a suffix');
      }
      checkEqual(await shown(`${guids.xml}.json`), guids.xml, 'with a suffix');
      const asXml = await target.api.get(`/course/${guids.xml}`, target.realm);
      checkType(asXml, 'application/xml');
      checkEqual(parseXml(asXml.text).textOf('sc-course-id'), plain, 'the GUID before .xml');
      for (const path of [`/course/${plain}.xls`, `/registration/${plain}.xls`]) {
        checkError(await target.api.get(path, target.realm), 404);
      }
      const query = `/stored_query/${plain}.xls`;
      checkError(await target.api.send('DELETE', query, { query: target.realm }), 404);
      const launch = `/registration/${plain}.v1/launch_url`;
      checkError(await target.api.get(`${launch}.xls`, target.realm), 406);
      checkError(await target.api.get(`${launch}.json`, target.realm), 404);
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

  ...(
    [
      ['course_provider', 'course-providers', 'course-provider'],
      ['initialize', 'stored-queries', 'stored-query'],
      ['run', 'rows', 'row', { name: 'completion_by_course', query_scope: 'bright' }],
      ['realm_user/autocomplete', 'emails', 'email', { q: '@' }],
    ] as const
  ).map(([path, root, element, parameters]) =>
    conformanceCase(
      `the XML list of ${path} has the root ${root}`,
      ['contract/formats#xml-list-root'],
      async (target) => {
        await target.register(await target.course());
        const response = await target.api.get(`/${path}.xml`, { ...target.realm, ...parameters });
        checkStatus(response, 200);
        const { name, attributes, children } = parseXml(response.text);
        checkEqual([name, attributes['type']], [root, 'array'], 'root and type');
        check(children.length > 0, `the list of ${path} is empty`);
        check(
          children.every((child) => child.name === element),
          `an element of the list is no ${element}`,
        );
      },
    ),
  ),

  conformanceCase(
    'an index that matches nothing returns an empty list in every format',
    [
      'contract/formats#empty-list',
      'contract/formats#empty-list-formats',
      'contract/errors#status-200',
    ],
    async (target) => {
      const nothing = { ...target.realm, title: target.unique('no-such-title') };
      const json = await target.api.get('/course.json', nothing);
      checkType(json, 'application/json');
      checkEqual(json.text, '[]', json.request);
      checkEqual(recordsOf(json), [], json.request);
      const xmlList = await target.api.get('/course.xml', nothing);
      checkType(xmlList, 'application/xml');
      const xml = parseXml(xmlList.text);
      checkEqual([xml.name, xml.children.length], ['courses', 0], 'the empty list in XML');
      const csv = await target.api.get('/course.csv', nothing);
      checkType(csv, 'text/csv');
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
