import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessScope,
  checkStoredQuery,
  deleteStoredQuery,
  dropStoredQuery,
  initializeQueries,
  listRunnableQueries,
  listStoredQueries,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import { scopeOf } from '../enrolment.fixture.ts';
import { builtInQueries } from './built-in-queries.ts';
import { type QueriesFixture, realmTwo, startQueriesFixture } from './queries.fixture.ts';

describe('stored queries of an operator', () => {
  let queries: QueriesFixture;

  beforeAll(async () => {
    queries = await startQueriesFixture();
  });
  afterAll(() => queries.stop());

  const list = async () => {
    const all = [];
    for await (const { items: page } of queries.bus.pages(listStoredQueries, {}, 3))
      all.push(...page);
    return all;
  };
  const drop = (storedQueryId: number) => queries.bus.request(dropStoredQuery, { storedQueryId });

  it('stored queries of an operator are stored, replaced by name and scope, listed and dropped', async () => {
    const first = await queries.put('mine', 'SELECT 1 AS one');
    expect(first).toMatchObject({ query_scope: 'realm', realm_id: 1, parameters: [] });
    const second = await queries.put('mine', 'SELECT :a::integer AS a, :b::text AS b');
    expect(second).toEqual({
      id: first.id,
      name: 'mine',
      query_scope: 'realm',
      realm_id: 1,
      provider_application_id: null,
      sql: 'SELECT :a::integer AS a, :b::text AS b',
      parameters: ['a', 'b'],
    });
    const ofApplication = await queries.put('mine', 'SELECT 2 AS two', { applicationId: 2 });
    expect(ofApplication).toMatchObject({ query_scope: 'provider', provider_application_id: 2 });
    expect(await list()).toEqual(expect.arrayContaining([second, ofApplication]));
    await drop(first.id);
    expect(await list()).not.toContainEqual(second);
    await expect(queries.run('mine', {}, { queryScope: 'realm' })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(drop(first.id)).rejects.toMatchObject({ code: 'not-found' });
    const acts = await queries.published('enrolment.audited');
    expect(acts.map(({ action }) => action)).toEqual([
      'query.stored',
      'query.stored',
      'query.stored',
      'query.deleted',
    ]);
    const context = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
    for (const _delivery of [1, 2]) {
      await runInRequestContext(context, () => queries.put('redelivered', 'SELECT 3 AS three'));
    }
    expect(await queries.published('enrolment.audited')).toHaveLength(5);
    expect(acts[0]).toMatchObject({
      actor: { kind: 'operator', id: null },
      realmId: 1,
      subject: { stored_query_id: first.id, name: 'mine' },
    });
  });

  it('stored queries of an operator do not include the built-in ones, which initialize restores and nobody can drop', async () => {
    const builtIn = (await list()).filter((query) => query.query_scope === 'bright');
    expect(builtIn.map(({ name }) => name)).toEqual(builtInQueries.map(({ name }) => name));
    await expect(drop(builtIn[0]?.id ?? 0)).rejects.toMatchObject({ code: 'invalid' });
    await queries.database.execute(
      sql`UPDATE stored_queries SET sql = 'SELECT 1' WHERE id = ${builtIn[0]?.id}`,
    );
    await queries.database.execute(
      sql`INSERT INTO stored_queries (name, query_scope, sql)
          VALUES ('former', 'bright', 'SELECT 1')`,
    );
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => queries.bus.request(initializeQueries, { scope: scopeOf() })),
    );
    for (const reply of replies) {
      expect(reply.queries).toEqual(
        builtInQueries.map(({ name }) => ({ name, query_scope: 'bright' })),
      );
    }
    expect((await list()).filter((query) => query.query_scope === 'bright')).toEqual(builtIn);
  });

  it.each([
    ['SELECT title\nFROM nowhere', 'line 2, column 6: relation "nowhere" does not exist', 18],
    ['SELECT :a::text AS b, missing FROM courses', 'line 1, column 23: column', 22],
    [
      "SELECT '😀' AS face,\n  :a::integer + missing AS b FROM courses",
      'line 2, column 17: column',
      37,
    ],
    ['SELECT title FROM courses WHERE :a AND (', 'line 1, column 41: syntax error', 40],
    ['SELECT 1 AS a;\nSELECT 2', 'line 2, column 1: a stored query is a single statement', 15],
  ])(
    'the check of a query names the line and the column at fault in %j',
    async (text, message, offset) => {
      const reply = await queries.bus.request(checkStoredQuery, { sql: text });
      expect(reply.problem).toMatchObject({ offset });
      await expect(queries.put('wrong', text)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(message),
      });
    },
  );

  it('the check of a query names no place for what it may not use, and no problem if the query can be stored', async () => {
    const verdictOn = (sql: string) => queries.bus.request(checkStoredQuery, { sql });
    expect(await verdictOn('SELECT relname FROM pg_class')).toEqual({
      problem: { message: 'a query may not use the relation pg_class', offset: null },
    });
    expect(await verdictOn('SELECT title FROM courses')).toEqual({ problem: null });
  });
});

describe('the stored queries that a scope may run', () => {
  let queries: QueriesFixture;

  beforeAll(async () => {
    queries = await startQueriesFixture();
  });
  afterAll(() => queries.stop());

  const list = async (scope: AccessScope, name: string | null = null) => {
    const page = { cursor: null, limit: 50 };
    return (await queries.bus.page(listRunnableQueries, { scope, name }, page)).items;
  };

  it('the list has the built-in queries and those of the realm, and none of another realm', async () => {
    await queries.put('own', 'SELECT :a::integer AS a');
    const builtIn = builtInQueries.map(({ name }) => name);
    expect((await list(scopeOf())).map(({ name }) => name)).toEqual([...builtIn, 'own']);
    expect(await list(scopeOf(), 'own')).toMatchObject([
      { name: 'own', query_scope: 'realm', parameters: ['a'] },
    ]);
    expect(await list(realmTwo, 'own')).toEqual([]);
  });
});

describe('the delete of a stored query by a client', () => {
  let queries: QueriesFixture;

  beforeAll(async () => {
    queries = await startQueriesFixture();
  });
  afterAll(() => queries.stop());

  const remove = (
    name: string,
    parts: {
      scope?: AccessScope;
      queryScope?: 'realm' | 'provider';
      applicationId?: number;
    } = {},
  ) =>
    queries.bus.request(deleteStoredQuery, {
      scope: parts.scope ?? scopeOf(),
      name,
      queryScope: parts.queryScope ?? null,
      applicationId: parts.applicationId ?? null,
    });
  const notFound = { code: 'not-found' };

  it('deletes the query once, and a built-in query of that name runs again', async () => {
    await queries.put('crawl_health', 'SELECT 1 AS one');
    expect(await remove('crawl_health')).toEqual({ name: 'crawl_health', query_scope: 'realm' });
    await expect(remove('crawl_health')).rejects.toMatchObject(notFound);
    const { columns } = await queries.run('crawl_health');
    expect(columns.map(({ name }) => name)).not.toContain('one');
  });

  it('needs a scope or an application to choose between queries of one name', async () => {
    await queries.put('mine', 'SELECT 0 AS a');
    await queries.put('mine', 'SELECT 1 AS a', { applicationId: 1 });
    await queries.put('mine', 'SELECT 2 AS a', { applicationId: 2 });
    await expect(remove('mine')).rejects.toMatchObject(notFound);
    await expect(remove('mine', { queryScope: 'provider' })).rejects.toMatchObject(notFound);
    await remove('mine', { applicationId: 1 });
    expect((await queries.run('mine')).rows).toEqual([{ a: 2 }]);
    await remove('mine', { queryScope: 'realm' });
    expect(await remove('mine')).toEqual({ name: 'mine', query_scope: 'provider' });
    await expect(remove('mine')).rejects.toMatchObject(notFound);
  });

  it('the delete of a stored query by a client does not find the queries of another realm, nor built-in ones', async () => {
    await queries.put('theirs', 'SELECT 1 AS a');
    await expect(remove('theirs', { scope: realmTwo })).rejects.toMatchObject(notFound);
    await expect(remove('completion_by_course')).rejects.toMatchObject(notFound);
    expect((await queries.run('theirs')).rows).toHaveLength(1);
  });

  it.each([
    ['a user-bound key', scopeOf({ email: 'ada@example.org' })],
    ['access to one application', scopeOf({ applicationIds: [1] })],
  ])('fails with unauthenticated for %s', async (_, scope) => {
    await expect(remove('theirs', { scope })).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
