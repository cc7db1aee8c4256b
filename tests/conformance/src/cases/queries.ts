import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  checkType,
  type JsonRecord,
  recordsOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

const builtIn = (target: Installation) =>
  target.once('built-in queries', async () =>
    recordsOf(await target.api.get('/initialize.json', target.realm)).map((query) =>
      String(query['name']),
    ),
  );

const run = (target: Installation, path: string, parameters: Parameters) =>
  target.api.get(path, { ...target.realm, query_scope: 'bright', ...parameters });

/** The rows of each built-in query that has no parameters. */
async function runAll(
  target: Installation,
  access: Parameters,
): Promise<Map<string, JsonRecord[]>> {
  const rows = new Map<string, JsonRecord[]>();
  for (const name of await builtIn(target)) {
    const response = await target.api.get('/run.json', { ...access, name, query_scope: 'bright' });
    if (response.status === 200) rows.set(name, recordsOf(response));
  }
  check(rows.size > 0, 'no built-in query runs without parameters');
  return rows;
}

async function anyQuery(target: Installation): Promise<string> {
  const [name] = (await runAll(target, target.realm)).keys();
  return name ?? '';
}

export const queryCases = [
  transportCase(
    'GET /initialize lists the names and scopes of the built-in queries',
    [
      'contract/stored-queries#initialize-route',
      'contract/stored-queries#initialize-response',
      'contract/stored-queries#record-name',
      'contract/stored-queries#record-query-scope',
    ],
    async (target) => {
      for (const access of [target.realm, await target.realmKey()]) {
        const queries = recordsOf(await target.api.get('/initialize.json', access));
        check(queries.length > 0, 'no query is listed');
        for (const query of queries) {
          check(typeof query['name'] === 'string', 'a query has no name');
          checkEqual(query['query_scope'], 'bright', 'query_scope');
        }
      }
    },
  ),

  conformanceCase(
    'GET /initialize can be repeated',
    ['contract/stored-queries#initialize-route'],
    async (target) => {
      const names = await builtIn(target);
      const again = recordsOf(await target.api.get('/initialize.json', target.realm));
      checkEqual(again.map(({ name }) => name).toSorted(), names.toSorted(), 'the names');
    },
  ),

  conformanceCase(
    'GET /initialize returns 401 without access',
    ['contract/access#one-mode', 'contract/errors#status-401'],
    async (target) => checkError(await target.api.get('/initialize.json', {}), 401),
  ),

  transportCase(
    'GET /run returns the rows of the query as records',
    [
      'contract/stored-queries#run-route',
      'contract/stored-queries#run-name',
      'contract/stored-queries#run-query-scope',
      'contract/stored-queries#run-rows',
    ],
    async (target) => {
      await target.register(await target.course());
      const rows = [...(await runAll(target, target.realm)).values()];
      check(
        rows.some((each) => each.length > 0),
        'no query has rows',
      );
    },
  ),

  conformanceCase(
    'GET /run without query_scope finds a built-in query',
    ['contract/stored-queries#run-precedence'],
    async (target) => {
      const name = await anyQuery(target);
      checkStatus(await target.api.get('/run.json', { ...target.realm, name }), 200);
    },
  ),

  conformanceCase(
    'run: format takes precedence over the suffix and sets the content type',
    ['contract/stored-queries#run-format'],
    async (target) => {
      const name = await anyQuery(target);
      const csv = await run(target, '/run.json', { name, format: 'csv' });
      checkStatus(csv, 200);
      checkType(csv, 'text/csv');
      parseCsv(csv.text);
      const xml = await run(target, '/run.csv', { name, format: 'xml' });
      checkType(xml, 'application/xml');
      checkEqual(parseXml(xml.text).attributes['type'], 'array', 'the type of the root');
      checkType(await run(target, '/run.xml', { name, format: 'json' }), 'application/json');
      checkType(await run(target, '/run', { name, format: 'csv' }), 'text/csv');
    },
  ),

  conformanceCase(
    'run returns the same columns in JSON and CSV',
    ['contract/stored-queries#run-format', 'contract/formats#same-content'],
    async (target) => {
      const name = await anyQuery(target);
      const json = recordsOf(await run(target, '/run.json', { name }));
      const csv = parseCsv((await run(target, '/run.csv', { name })).text);
      const [record, row] = [json[0], csv[0]];
      if (record) checkEqual(Object.keys(row ?? {}), Object.keys(record), 'the columns');
    },
  ),

  transportCase(
    'run returns 404 for an unknown or missing query',
    ['contract/stored-queries#run-404', 'contract/errors#status-404'],
    async (target) => {
      checkError(await run(target, '/run.json', { name: target.unique('unknown') }), 404);
      checkError(await run(target, '/run.json', {}), 404);
    },
  ),

  conformanceCase(
    'run returns 401 without access',
    ['contract/access#one-mode', 'contract/errors#status-401'],
    async (target) => checkError(await target.api.get('/run.json', { name: 'any' }), 401),
  ),

  conformanceCase(
    'run returns 500 for an unknown parameter or scope',
    ['contract/stored-queries#run-500'],
    async (target) => {
      const name = await anyQuery(target);
      checkError(await run(target, '/run.json', { name, no_such_parameter: '1' }), 500);
      checkError(await run(target, '/run.json', { name, query_scope: 'color' }), 500);
    },
  ),

  conformanceCase(
    'run with a user-bound key returns rows of that user only',
    ['contract/access#user-key-queries', 'contract/stored-queries#rows-in-reach'],
    async (target) => {
      const [own, other] = [target.learner(), target.learner()];
      const course = await target.course();
      await target.register(course, own);
      const otherGuid = await target.register(course, other);
      const key = await target.userKey(own);
      const shown = JSON.stringify([...(await runAll(target, key)).values()]);
      check(!shown.includes(other) && !shown.includes(otherGuid), 'another learner is shown');
      check(shown.includes(own), 'the user is not shown');
    },
  ),

  conformanceCase(
    'run binds a request parameter to the parameter of the query',
    ['contract/stored-queries#run-parameters', 'contract/stored-queries#run-500'],
    async (target) => {
      const query = { name: 'learners_stuck' };
      recordsOf(await run(target, '/run.json', { ...query, days: '7' }));
      checkError(await run(target, '/run.json', { ...query, days: 'seven' }), 500);
      checkError(await run(target, '/run.json', { name: 'invitation_completion_matrix' }), 500);
    },
  ),

  conformanceCase(
    'parameters of built-in queries have defaults',
    ['contract/stored-queries#run-defaults'],
    async (target) => {
      for (const name of ['learners_stuck', 'bright_completion_matrix']) {
        recordsOf(await run(target, '/run.json', { name }));
      }
    },
  ),

  conformanceCase(
    'run with query_scope=bright returns 404 when neither built-in nor own queries have the name',
    ['contract/stored-queries#run-bright-fallback'],
    async (target) =>
      checkError(await run(target, '/run.json', { name: target.unique('none') }), 404),
  ),

  transportCase(
    'GET /stored_query/run returns the columns by name and by position in JSON',
    ['contract/stored-queries#former-path', 'contract/stored-queries#former-positions'],
    async (target) => {
      const course = await target.course();
      await target.register(course);
      const name = 'bright_completion_matrix';
      const query = { name, guid_prefix: course };
      const [record] = recordsOf(await run(target, '/stored_query/run.json', query));
      const [named] = recordsOf(await run(target, '/run.json', query));
      check(record && named, 'the query has no rows');
      const values = Object.values(named);
      checkEqual(record, { ...values, ...named }, 'a row');
      const csv = await run(target, '/stored_query/run', { ...query, format: 'csv' });
      checkEqual(Object.keys(parseCsv(csv.text)[0] ?? {}), Object.keys(named), 'CSV columns');
    },
  ),

  conformanceCase(
    'stored_query/run ignores unknown parameters, and fields may be a number of columns',
    ['contract/stored-queries#former-unknown', 'contract/stored-queries#former-fields'],
    async (target) => {
      const course = await target.course();
      await target.register(course);
      const shortcode = { host_url: 'https://client.example', headers: 'Learner', first_name: 'A' };
      const query = { name: 'bright_completion_matrix', guid_prefix: course, ...shortcode };
      const [record] = recordsOf(
        await run(target, '/stored_query/run.json', { ...query, fields: '2' }),
      );
      checkEqual(
        Object.keys(record ?? {}),
        ['0', '1', 'learner_id', 'course_title'],
        'the first two columns',
      );
      checkError(await run(target, '/stored_query/run.json', {}), 404);
    },
  ),
];
