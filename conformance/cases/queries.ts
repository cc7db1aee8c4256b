import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  checkType,
  type JsonRecord,
  recordsOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

const builtIn = (on: Installation) =>
  on.once('built-in queries', async () =>
    recordsOf(await on.api.get('/initialize.json', on.realm)).map((query) => String(query['name'])),
  );

const run = (on: Installation, path: string, parameters: Parameters) =>
  on.api.get(path, { ...on.realm, query_scope: 'bright', ...parameters });

/** The built-in queries that run without parameters of their own, with their rows. */
async function runAll(on: Installation, access: Parameters): Promise<Map<string, JsonRecord[]>> {
  const rows = new Map<string, JsonRecord[]>();
  for (const name of await builtIn(on)) {
    const answer = await on.api.get('/run.json', { ...access, name, query_scope: 'bright' });
    if (answer.status === 200) rows.set(name, recordsOf(answer));
  }
  check(rows.size > 0, 'no built-in query runs without parameters');
  return rows;
}

async function anyQuery(on: Installation): Promise<string> {
  const [name] = (await runAll(on, on.realm)).keys();
  return name ?? '';
}

export const queryCases = [
  trial(
    'initialize answers the names and scopes of the built-in queries',
    [
      'api-v2: Stored query: initialize, GET /initialize',
      'api-v2: Stored query: initialize, 200',
      'api-v2: Other resources, stored query',
      'decision 27',
    ],
    async (on) => {
      for (const access of [on.realm, await on.realmKey()]) {
        const queries = recordsOf(await on.api.get('/initialize.json', access));
        check(queries.length > 0, 'there are none');
        for (const query of queries) {
          check(typeof query['name'] === 'string', 'a query has no name');
          checkEqual(query['query_scope'], 'bright', 'query_scope');
        }
      }
    },
  ),

  trial('initialize may be called again', ['decision 27'], async (on) => {
    const names = await builtIn(on);
    const again = recordsOf(await on.api.get('/initialize.json', on.realm));
    checkEqual(again.map(({ name }) => name).toSorted(), names.toSorted(), 'the names');
  }),

  trial(
    'initialize is refused without access',
    ['api-v2: Stored query: initialize, 401'],
    async (on) => checkRefused(await on.api.get('/initialize.json', {}), 401),
  ),

  trial(
    'run answers the rows of the named query as records',
    [
      'api-v2: Stored query: run, GET /run',
      'api-v2: Stored query: run, name',
      'api-v2: Stored query: run, query_scope',
      'api-v2: Stored query: run, 200',
      'decision 27',
    ],
    async (on) => {
      await on.register(await on.course());
      const rows = [...(await runAll(on, on.realm)).values()];
      check(
        rows.some((each) => each.length > 0),
        'no query has rows',
      );
    },
  ),

  trial(
    'built-in queries are found without their scope too',
    ['api-v2: Stored query: run, query_scope'],
    async (on) => {
      const name = await anyQuery(on);
      checkStatus(await on.api.get('/run.json', { ...on.realm, name }), 200);
    },
  ),

  trial(
    'format wins over the suffix, and sets the content type',
    ['api-v2: Stored query: run, format', 'api-v2: General rules, 3', 'decision 3'],
    async (on) => {
      const name = await anyQuery(on);
      const csv = await run(on, '/run.json', { name, format: 'csv' });
      checkStatus(csv, 200);
      checkType(csv, 'text/csv');
      parseCsv(csv.text);
      const xml = await run(on, '/run.csv', { name, format: 'xml' });
      checkType(xml, 'application/xml');
      checkEqual(parseXml(xml.text).attributes['type'], 'array', 'the type of the root');
      checkType(await run(on, '/run.xml', { name, format: 'json' }), 'application/json');
      checkType(await run(on, '/run', { name, format: 'csv' }), 'text/csv');
    },
  ),

  trial(
    'the formats tell the same rows',
    ['api-v2: Stored query: run, format', 'decision 27'],
    async (on) => {
      const name = await anyQuery(on);
      const json = recordsOf(await run(on, '/run.json', { name }));
      const csv = parseCsv((await run(on, '/run.csv', { name })).text);
      const [record, row] = [json[0], csv[0]];
      if (record) checkEqual(Object.keys(row ?? {}), Object.keys(record), 'the columns');
    },
  ),

  trial(
    'an unknown query is not found',
    ['api-v2: Stored query: run, 404', 'api-v2: Errors, 404'],
    async (on) => {
      checkRefused(await run(on, '/run.json', { name: on.unique('unknown') }), 404);
      checkRefused(await run(on, '/run.json', {}), 404);
    },
  ),

  trial('run is refused without access', ['api-v2: Stored query: run, 401'], async (on) =>
    checkRefused(await on.api.get('/run.json', { name: 'any' }), 401),
  ),

  trial(
    'a parameter that the query does not have, or a scope that there is not, is refused',
    ['api-v2: Stored query: run, 500', 'decision 27'],
    async (on) => {
      const name = await anyQuery(on);
      checkRefused(await run(on, '/run.json', { name, no_such_parameter: '1' }), 500);
      checkRefused(await run(on, '/run.json', { name, query_scope: 'colour' }), 500);
    },
  ),

  trial(
    'with a user’s key a query shows that user’s rows alone',
    ['decision 27', 'decision 14'],
    async (on) => {
      const [own, other] = [on.learner(), on.learner()];
      const course = await on.course();
      await on.register(course, own);
      const otherGuid = await on.register(course, other);
      const key = await on.userKey(own);
      const shown = JSON.stringify([...(await runAll(on, key)).values()]);
      check(!shown.includes(other) && !shown.includes(otherGuid), 'another learner is shown');
      check(shown.includes(own), 'the user is not shown');
    },
  ),
];
