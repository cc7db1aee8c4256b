import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedApp } from '@registrar/bootstrap';
import { type AccessScope, type Failure } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { clock, runInRequestContext } from '@registrar/platform';
import * as z from 'zod';
import { email, scopeOf } from '../enrolment.fixture.ts';
import { type QueriesFixture, realmTwo, startQueriesFixture } from './queries.fixture.ts';
import { QueryResults } from './query-results.ts';
import { RunQuery } from './run-query.ts';

describe('stored query run', () => {
  let queries: QueriesFixture;

  beforeAll(async () => {
    queries = await startQueriesFixture();
    await queries.insert(1, 'swimming', 'Ada@example.org', 'ada-in-1', { score: 80 });
    await queries.insert(1, 'diving', 'bob@example.org', 'bob-in-1', { active: false });
    await queries.insert(2, 'swimming', 'ada@example.org', 'ada-in-2', { deletion_sequence: 1 });
    await queries.insert(3, 'swimming', 'ada@example.org', 'ada-in-3');
    await queries.put('guids', 'SELECT registration_guid FROM registrations ORDER BY 1');
    await queries.put('guids', 'SELECT registration_guid FROM registrations ORDER BY 1', {
      realmId: 2,
    });
  });
  afterAll(() => queries.stop());

  const guids = async (scope: AccessScope) => {
    const { rows } = await queries.run('guids', {}, { scope });
    return rows.map((row) => row['registration_guid']);
  };

  it('returns the rows that the scope reaches, and no others', async () => {
    expect(await guids(scopeOf())).toEqual(['ada-in-1', 'ada-in-2', 'bob-in-1']);
    expect(await guids(realmTwo)).toEqual(['ada-in-3']);
    expect(await guids(scopeOf({ applicationIds: [2] }))).toEqual(['ada-in-2']);
    expect(await guids(scopeOf({ applicationIds: [] }))).toEqual([]);
    expect(await guids(scopeOf({ email: 'ADA@example.org' }))).toEqual(['ada-in-1', 'ada-in-2']);
    expect(await guids(scopeOf({ email: 'ada@example.org', applicationIds: [2] }))).toEqual([
      'ada-in-2',
    ]);
    expect(await guids(scopeOf({ email: "x'or'1@example.org" }))).toEqual([]);
  });

  it('evaluates no expression of a query on rows out of reach', async () => {
    // Without the security barrier, this would divide by zero at the row of the other realm.
    await queries.put(
      'probing',
      `SELECT registration_guid FROM registrations
       WHERE 1 / (CASE WHEN registration_guid = 'ada-in-3' THEN 0 ELSE 1 END) > 0`,
    );
    expect((await queries.run('probing')).rows).toHaveLength(3);
  });

  it('leaves no scope behind on its connection', async () => {
    await guids(scopeOf());
    const rows = await Promise.all(
      Array.from({ length: 10 }, () =>
        queries.database.many(
          z.object({}),
          sql`SELECT FROM reports.registrations, reports.courses`,
        ),
      ),
    );
    expect(rows.flat()).toEqual([]);
  });

  it('prefers the query of the application to that of the realm, and that to the built-in one', async () => {
    const selectWhose = (text: string) => `SELECT '${text}' AS whose`;
    await queries.put('crawl_health', selectWhose('realm 1'));
    await queries.put('crawl_health', selectWhose('application 2'), { applicationId: 2 });
    const whose = async (...request: Parameters<QueriesFixture['run']>) =>
      (await queries.run(...request)).rows[0]?.['whose'];
    const ofOne = scopeOf({ applicationIds: [1] });
    expect(await whose('crawl_health')).toBe('application 2');
    expect(await whose('crawl_health', {}, { scope: ofOne })).toBe('realm 1');
    expect(await whose('crawl_health', {}, { queryScope: 'realm' })).toBe('realm 1');
    const builtIn = await queries.run('crawl_health', {}, { queryScope: 'bright' });
    expect(builtIn.rows[0]).toMatchObject({ course_provider_id: 1, never_crawled: 1 });
    const other = await queries.run('crawl_health', {}, { scope: realmTwo });
    expect(other.rows).toMatchObject([{ course_provider_id: 3 }]);
    const missing = { code: 'not-found' };
    await expect(
      queries.run('crawl_health', {}, { scope: ofOne, queryScope: 'provider' }),
    ).rejects.toMatchObject(missing);
    await expect(
      queries.run('crawl_health', {}, { scope: realmTwo, queryScope: 'realm' }),
    ).rejects.toMatchObject(missing);
    await expect(queries.run('nothing')).rejects.toMatchObject(missing);
  });

  it('runs the query of the application that the request names, of several of that name', async () => {
    await queries.put('named', 'SELECT 1 AS application', { applicationId: 1 });
    await queries.put('named', 'SELECT 2 AS application', { applicationId: 2 });
    const run = (applicationId: number) =>
      queries.run('named', {}, { queryScope: 'provider', applicationId });
    expect((await run(2)).rows).toEqual([{ application: 2 }]);
    expect((await run(1)).rows).toEqual([{ application: 1 }]);
    await expect(run(3)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('falls back from a built-in query to one of the realm of that name', async () => {
    await queries.put('license_report', `SELECT 'realm 1' AS whose`);
    const builtInScope = { queryScope: 'bright' } as const;
    const { rows } = await queries.run('license_report', {}, builtInScope);
    expect(rows).toEqual([{ whose: 'realm 1' }]);
    const elsewhere = { ...builtInScope, scope: realmTwo };
    await expect(queries.run('license_report', {}, elsewhere)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('gives defaults to parameters of built-in queries only', async () => {
    await queries.put('crawl_stuck', 'SELECT make_interval(days => :days)::text AS idle');
    await expect(queries.run('crawl_stuck')).rejects.toMatchObject({ code: 'invalid' });
    await queries.put('learners_stuck', 'SELECT make_interval(days => :days)::text AS idle');
    await expect(queries.run('learners_stuck')).rejects.toMatchObject({ code: 'invalid' });
    const { columns } = await queries.run('learners_stuck', {}, { queryScope: 'bright' });
    expect(columns.map(({ name }) => name)).toContain('idle_days');
  });

  it('ignores unknown parameters when the request says so', async () => {
    const given = { host_url: 'https://client.example', headers: 'Learner,Course' };
    await expect(queries.run('guids', given)).rejects.toMatchObject({ code: 'invalid' });
    const { rows } = await queries.run('guids', given, { ignoreUnknown: true });
    expect(rows).toHaveLength(3);
  });

  it('binds parameters as values of the types that the query expects', async () => {
    await queries.put(
      'bound',
      `SELECT registration_guid FROM registrations
       WHERE lower(learner_id) = lower(:learner) AND created_at > :since AND coalesce(score, 0) >= :score
       ORDER BY registration_guid LIMIT :count`,
    );
    const given = {
      learner: 'ada@example.org',
      since: '2020-01-01T00:00:00Z',
      score: '12.5',
      count: '5',
    };
    expect((await queries.run('bound', given)).rows).toEqual([{ registration_guid: 'ada-in-1' }]);
    const inject = { ...given, learner: `' OR true; DROP TABLE registrations --` };
    expect((await queries.run('bound', inject)).rows).toEqual([]);
    const { count: _, ...missing } = given;
    for (const wrong of [
      missing,
      { ...given, more: '1' },
      { ...given, since: 'yesterday evening' },
      { ...given, score: '1 OR true' },
      { ...given, count: '-1' },
      { ...given, count: '99999999999999999999' },
      { ...given, learner: 'a\u0000' },
    ]) {
      await expect(queries.run('bound', wrong)).rejects.toMatchObject({ code: 'invalid' });
    }
  });

  it('returns the names and kinds of columns, with and without rows', async () => {
    await queries.put(
      'kinds',
      `SELECT 'x' AS a_text, 1 AS an_integer, count(*) AS a_count, avg(score) AS a_float,
         true AS a_flag, '2026-01-02 03:04:05.6+02'::timestamptz AS a_time,
         '{"b": [1]}'::json AS a_json, array_agg(course_guid ORDER BY course_guid) AS a_list,
         '2026-01-02'::date AS a_day, NULL::integer AS nothing
       FROM registrations WHERE course_guid = :course GROUP BY ()
       HAVING count(*) > 0`,
    );
    const { columns, rows } = await queries.run('kinds', { course: 'swimming' });
    expect(columns.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'a_text: text',
      'an_integer: integer',
      'a_count: integer',
      'a_float: float',
      'a_flag: boolean',
      'a_time: datetime',
      'a_json: json',
      'a_list: json',
      'a_day: text',
      'nothing: integer',
    ]);
    expect(rows).toEqual([
      {
        a_text: 'x',
        an_integer: 1,
        a_count: 2,
        a_float: 80,
        a_flag: true,
        a_time: '2026-01-02T01:04:05Z',
        a_json: { b: [1] },
        a_list: ['swimming', 'swimming'],
        a_day: '2026-01-02',
        nothing: null,
      },
    ]);
    expect(await queries.run('kinds', { course: 'none' })).toEqual({ columns, rows: [] });
  });

  it('fails with expired at the deadline, and frees its slot', async () => {
    await queries.put(
      'endless',
      `WITH RECURSIVE counted (n) AS (
         SELECT 1 WHERE :count::bigint > 0
         UNION ALL SELECT n + 1 FROM counted WHERE n < :count::bigint
       ) SELECT count(*) AS n FROM counted`,
    );
    const run = runInRequestContext({ requestId: 'endless', deadline: clock.now() + 500 }, () =>
      queries.run('endless', { count: '1000000000000' }),
    );
    await expect(run).rejects.toMatchObject({ code: 'expired' });
    expect((await queries.run('endless', { count: '3' })).rows).toEqual([{ n: 3 }]);
  });

  it('runs more concurrent queries than there are slots', async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) => queries.run('endless', { count: `${n}` })),
    );
    expect(results.map(({ rows }) => rows[0]?.['n'])).toEqual(results.map((_, n) => n));
  });

  it('refuses values that are nested too deeply, and rows that are too long, and goes on', async () => {
    await queries.put('nested', 'SELECT :value::json AS value, 1 AS n');
    const nested = (levels: number) => ({ value: '['.repeat(levels) + ']'.repeat(levels) });
    for (const levels of [20_000, 32_768, 1_000, 101]) {
      await expect(queries.run('nested', nested(levels))).rejects.toMatchObject({
        code: 'invalid',
      });
    }
    expect((await queries.run('nested', nested(100))).rows).toEqual([
      { value: JSON.parse(nested(100).value) as unknown, n: 1 },
    ]);
    await queries.put('long', `SELECT repeat('x', :length) AS text FROM generate_series(1, :rows)`);
    for (const [length, rows] of [
      ['50000000', '1'],
      ['1048577', '1'],
      ['200000', '100'],
    ] as const) {
      await expect(queries.run('long', { length, rows })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('exceed'),
      });
    }
    const { resultId } = await queries.start('long', { length: '100000', rows: '60' });
    const pages = await queries.read(resultId);
    expect(pages.flat()).toHaveLength(60);
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(12);
  });

  it('stores a large result, which is read page by page in its order', async () => {
    await queries.put(
      'big',
      'SELECT n, repeat(:word, 20) AS text FROM generate_series(7000, 1, -1) AS s (n)',
    );
    const { resultId } = await queries.start('big', { word: 'word ' });
    const pages = await queries.read(resultId, scopeOf(), 700);
    expect(pages.every((page) => page.length <= 700)).toBe(true);
    expect(pages.flat().map((row) => row['n'])).toEqual(
      Array.from({ length: 7_000 }, (_, n) => 7_000 - n),
    );
    expect(await queries.read(resultId, scopeOf(), 700)).toEqual(pages);
  });

  it('returns a result for an hour, and to scopes of the same reach only', async () => {
    const { resultId } = await queries.start('guids');
    const gone = { code: 'not-found' };
    for (const scope of [
      realmTwo,
      scopeOf({ applicationIds: [1] }),
      scopeOf({ email: 'ada@example.org' }),
    ]) {
      await expect(queries.read(resultId, scope)).rejects.toMatchObject(gone);
    }
    const queryResults = queries.app.get(QueryResults);
    const age = (id: string) =>
      queries.database.execute(
        sql`UPDATE query_results SET created_at = now() - interval '61 minutes' WHERE id = ${id}`,
      );
    await age(resultId);
    await expect(queries.read(resultId)).rejects.toMatchObject(gone);
    const { resultId: young } = await queries.start('guids');
    const rowsOf = (id: string) =>
      queries.database.many(
        z.object({}),
        sql`SELECT FROM query_result_rows WHERE result_id = ${id}`,
      );
    expect(await rowsOf(resultId)).toHaveLength(3);
    while ((await queryResults.prune()) > 0);
    expect(await rowsOf(resultId)).toHaveLength(0);
    expect(await rowsOf(young)).toHaveLength(3);
    expect(
      await queries.database.many(
        z.object({}),
        sql`SELECT FROM query_results WHERE id = ${resultId}`,
      ),
    ).toEqual([]);
  });

  it('refuses a result that is too large together with the others of the realm', async () => {
    const limited = (limits: AccessScope['limits'], realmId = 1) => ({
      scope: { ...scopeOf({ applicationIds: [1] }), mode: 'realm' as const, realmId, limits },
    });
    await queries.put('numbers', 'SELECT * FROM generate_series(1, 1500)', { realmId: 77 });
    const refused = { code: 'over-limit' };
    const rows = (queryRows: number) => queries.start('numbers', {}, limited({ queryRows }, 77));
    await expect(rows(1_499)).rejects.toMatchObject(refused);
    // The part of a result that was refused does not count.
    await rows(1_500);
    await expect(rows(2_999)).rejects.toMatchObject(refused);
    await rows(3_000);
    const bytes = limited({ queryRows: 1_000_000, queryMegabytes: 1 }, 78);
    await queries.put('texts', "SELECT repeat('x', 600000) AS text", { realmId: 78 });
    await queries.start('texts', {}, bytes);
    await expect(queries.start('texts', {}, bytes)).rejects.toMatchObject(refused);
  });

  it('keeps no more results of a user, a key or a provider pair than these leave free', async () => {
    const limits = { queryRows: 400 };
    const access = (parts: Partial<AccessScope>) => ({
      scope: { ...scopeOf({ applicationIds: [1] }), realmId: 79, limits, ...parts },
    });
    await queries.put('hundred', 'SELECT * FROM generate_series(1, 100)', { realmId: 79 });
    const keep = (parts: Partial<AccessScope>) => queries.start('hundred', {}, access(parts));
    const user = { id: 5, email: email('user@example.com') };
    await keep({ apiKeyId: 1, user });
    await keep({ apiKeyId: 1, user });
    const refused = { code: 'over-limit', retryAfterSeconds: expect.any(Number) };
    // Another key of the same user has no share of its own.
    await expect(keep({ apiKeyId: 2, user })).rejects.toMatchObject(refused);
    await keep({ apiKeyId: 3 });
    await expect(keep({ apiKeyId: 3 })).rejects.toMatchObject(refused);
    await expect(keep({ mode: 'provider' })).rejects.toMatchObject(refused);
    await keep({ mode: 'realm' });
    const error = await keep({ mode: 'realm' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject(refused);
    expect((error as Failure).retryAfterSeconds).toBeGreaterThan(3_000);
    expect((error as Failure).retryAfterSeconds).toBeLessThanOrEqual(3_600);
  });

  it('refuses a query that needs more temporary files than its role may have', async () => {
    await queries.put(
      'sorting',
      "SELECT n, repeat('x', 500) AS text FROM generate_series(1, 20000) AS n ORDER BY 2, 1 DESC",
    );
    const run = (app: StartedApp) =>
      app.get(RunQuery).run({
        scope: scopeOf(),
        name: 'sorting',
        queryScope: null,
        parameters: {},
        ignoreUnknown: false,
      });
    await queries.withFewTemporaryFiles((replica) =>
      expect(run(replica)).rejects.toMatchObject({
        code: 'invalid',
        message:
          'the query needs larger temporary files than it may: ' +
          'temporary file size exceeds "temp_file_limit" (1024kB)',
      }),
    );
    await run(queries.app);
  });
});
