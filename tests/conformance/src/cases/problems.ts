import { check, checkEqual, checkError, checkStatus, checkType } from '../checks.ts';
import type { ApiResponse, Parameters } from '../client.ts';
import { conformanceCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

const problemType = 'application/problem+json';
const accept = { accept: problemType };

/** Where the gateway serves the rules of errors (contract/errors#problem-type). */
const rules = '/docs/guides/contract/errors.md';

/** The members of an error that is a problem. */
function problemOf(response: ApiResponse, status: number): Record<string, unknown> {
  checkStatus(response, status);
  checkType(response, problemType);
  return JSON.parse(response.text) as Record<string, unknown>;
}

/** A request for each status of the client's own mistakes. */
const mistakes = (target: Installation): [status: number, path: string, query: Parameters][] => [
  [406, '/course.pdf', target.realm],
  [401, '/course.json', {}],
  [501, '/course.json', { ...target.realm, ...target.application }],
  [500, '/course.json', { ...target.realm, color: 'blue' }],
  [404, '/registration/unknown/launch_url.json', target.realm],
  [404, '/unknown.json', {}],
];

/** Problems of RFC 9457 (contract/errors#problem-details). */
export const problemCases = [
  conformanceCase(
    'an error is a problem for a client that asks for it, and has an empty body for others',
    [
      'contract/errors#problems',
      'contract/errors#problem-members',
      'contract/errors#problem-vary',
      'contract/errors#empty-body',
    ],
    async (target) => {
      const asking = [problemType, `text/html, ${problemType};q=0.1`, 'Application/Problem+JSON'];
      const others = ['*/*', 'application/*', 'application/json', `${problemType};q=0`];
      for (const [status, path, query] of mistakes(target)) {
        for (const each of asking) {
          const response = await target.api.get(path, query, { accept: each });
          const { type, title, detail, ...rest } = problemOf(response, status);
          for (const text of [type, title, detail]) {
            check(
              typeof text === 'string' && text !== '',
              `${response.request}: a text is missing`,
            );
          }
          checkEqual(rest['status'], status, 'status');
          checkEqual(rest['request_id'], response.headers.get('x-request-id'), 'request_id');
          check(response.headers.get('vary')?.includes('Accept'), 'Vary does not name Accept');
        }
        for (const each of others) {
          const response = await target.api.get(path, query, { accept: each });
          checkError(response, status);
          checkEqual(response.type, null, 'Content-Type');
          check(response.headers.get('vary')?.includes('Accept'), 'Vary does not name Accept');
        }
      }
    },
  ),

  conformanceCase(
    'the type of a problem is the address of its rule',
    ['contract/errors#problem-type'],
    async (target) => {
      for (const [status, path, query] of mistakes(target)) {
        const problem = problemOf(await target.api.get(path, query, accept), status);
        const type = `${rules}#status-${status}`;
        checkEqual(problem['type'], type, 'type');
      }
      const response = await fetch(new URL(rules, target.facts.base_url));
      checkEqual(response.status, 200, 'the status of the page');
      check((await response.text()).includes('<a id="status-401">'), 'the page has no such rule');
    },
  ),

  conformanceCase(
    'a problem names the parameter at fault',
    ['contract/errors#problem-members'],
    async (target) => {
      const parameters: [query: Parameters, parameter: string][] = [
        [{ color: 'blue' }, 'color'],
        [{ title: ['a', 'b'] }, 'title'],
        [{ include_registrations: 'maybe' }, 'include_registrations'],
        [{ fields: 'shade' }, 'fields'],
        [{ template: 'none' }, 'template'],
      ];
      for (const [query, parameter] of parameters) {
        const response = await target.api.get(
          '/course.json',
          { ...target.realm, ...query },
          accept,
        );
        const problem = problemOf(response, 500);
        checkEqual(problem['parameter'], parameter, 'parameter');
        const detail = String(problem['detail']);
        check(detail.includes(parameter), `the detail is ${detail}`);
      }
    },
  ),

  conformanceCase(
    'the problem of wrong credentials is the same whether their account exists or not',
    ['contract/errors#problem-detail', 'contract/access#cause-of-401'],
    async (target) => {
      const realm_secret_key = target.unique('wrong');
      const detailFor = async (query: Parameters) => {
        const response = await target.api.get('/course.json', query, accept);
        check(!response.text.includes(realm_secret_key), 'the problem repeats the secret');
        return problemOf(response, 401)['detail'];
      };
      const known = await detailFor({ ...target.realm, realm_secret_key });
      const unknown = await detailFor({ realm_guid: target.unique('realm'), realm_secret_key });
      checkEqual(known, unknown, 'detail');
    },
  ),

  conformanceCase(
    'application/problem+json does not change the format of a success, nor JSONP',
    ['contract/errors#problem-format', 'contract/errors#problem-exceptions'],
    async (target) => {
      const query = { ...(await target.realmKey()), title: 'none' };
      const formats = [
        [`application/json, ${problemType}`, 'application/json'],
        [`${problemType}, text/csv`, 'text/csv'],
        [problemType, 'application/json'],
      ] as const;
      for (const [each, type] of formats) {
        const response = await target.api.get('/course', query, { accept: each });
        checkStatus(response, 200);
        checkType(response, type);
      }
      const jsonp = { ...query, callback: 'show', color: 'blue' };
      checkError(await target.api.get('/course.json', jsonp, accept), 500);
    },
  ),

  conformanceCase(
    'a record that exists already is a problem with status 302',
    ['contract/errors#problems', 'contract/errors#status-302'],
    async (target) => {
      const name = target.unique('template');
      checkStatus(await target.api.post('/template.json', { ...target.realm, name }), 201);
      const query = { ...target.realm, name };
      const again = await target.api.send('POST', '/template.json', { query, headers: accept });
      checkEqual(problemOf(again, 302)['title'], 'The record exists already', 'title');
    },
  ),
];
