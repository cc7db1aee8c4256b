import type { Attack } from './attack.ts';
import { Failure, putStoredQuery } from '@registrar/contracts';
import { asOperator } from '@registrar/e2e/operator';
import { form, HttpClient } from './http-client.ts';
import { createTenant } from './tenant.ts';

/** Stored queries, each with a value of its parameter that is meant to end a process. */
const queries: Readonly<Record<string, { readonly sql: string; readonly a: string }>> = {
  'deep-json': { sql: 'SELECT :a::json AS a', a: '['.repeat(20_000) + ']'.repeat(20_000) },
  'open-json': { sql: 'SELECT :a::json AS a', a: '['.repeat(20_000) },
  'deep-jsonb': {
    sql: 'SELECT :a::jsonb AS a',
    a: '{"a":'.repeat(6_000) + '1' + '}'.repeat(6_000),
  },
  'json-as-text': { sql: 'SELECT :a::text AS a', a: '['.repeat(60_000) },
  'deep-xml': { sql: 'SELECT :a::xml AS a', a: '<a>'.repeat(10_000) + '</a>'.repeat(10_000) },
  'deep-array': { sql: 'SELECT :a::int[] AS a', a: '{'.repeat(60_000) },
  numeric: { sql: 'SELECT :a::numeric AS a', a: '1e131071' },
  infinity: { sql: "SELECT :a::float8 AS a, 'infinity'::timestamptz AS b", a: 'NaN' },
  'early-date': { sql: 'SELECT :a::date AS a', a: '4713-01-01 BC' },
  'other-columns': {
    sql: 'SELECT :a::text AS __proto__, 1 AS constructor, 2 AS "toString"',
    a: 'x',
  },
  'long-row': { sql: 'SELECT repeat(:a::text, 2000000) AS a', a: 'é' },
  'long-array': { sql: 'SELECT array_fill(:a::text, ARRAY[500000]) AS a', a: 'aa' },
  endless: {
    sql: 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) AS n, :a::text AS a FROM r',
    a: 'x',
  },
  lexeme: { sql: 'SELECT to_tsvector(:a::text) AS a', a: 'a'.repeat(60_000) },
};

/** Those that take seconds, for a long run: more rows, and more characters, than a result may have. */
const largeResults: typeof queries = {
  'many-rows': { sql: 'SELECT :a::text AS a FROM generate_series(1, 2000000)', a: 'x' },
  'long-result': {
    sql: 'SELECT repeat(:a::text, 500000) AS a FROM generate_series(1, 1000)',
    a: 'x',
  },
};

/** What a stored query may return: its rows, a failure of its own, or the lack of time or of place. */
const possible = [200, 500, 503, 504];

/** Queries and parameters that are meant to end a process. That no process ends is watched during every attack. */
export const storedQueries: Attack = {
  name: 'stored-queries',
  tried: `${Object.keys(queries).length} stored queries: deep JSON and its kin, long rows, one that never ends`,
  async run(target, { long }) {
    const tried = { ...queries, ...(long && largeResults) };
    const tenant = await createTenant(target, 'stored-queries');
    const client = new HttpClient(target, '127.0.1.1');
    const refused = new Map<string, string>();
    await asOperator(target, async (bus) => {
      for (const [name, { sql }] of Object.entries(tried)) {
        const stored = { name, realmId: tenant.realmId, applicationId: null, sql };
        await bus.request(putStoredQuery, stored).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          refused.set(name, error.code);
        });
      }
    });
    const outcomes = await Promise.all(
      Object.entries(tried).map(async ([name, { a }]) => {
        const given = form({ ...tenant.pair, name, a }).toString();
        const { status } = await client.call(`/run.json?${given}`);
        return { name, status };
      }),
    );
    client.close();
    return {
      violations: outcomes
        .filter(({ name, status }) => status !== 404 || !refused.has(name))
        .filter(({ status }) => !possible.includes(status))
        .map(({ name, status }) => `the query ${name} returned ${status}`),
      detail: outcomes
        .map(({ name, status }) => `${name}: ${refused.get(name) ?? status}`)
        .join(', '),
    };
  },
};
