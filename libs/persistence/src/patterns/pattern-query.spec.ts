import { describe, expect, it } from 'vitest';
import { emailAddress, type Failure, type Patterns } from '@registrar/contracts';
import { runInRequestContext } from '@registrar/platform';
import type { QueryRunner } from 'typeorm';
import * as z from 'zod';
import {
  createTrigramExtension,
  countRows,
  patternConditions,
  PatternQueries,
} from './pattern-query.ts';
import { join, sql } from '../sql.ts';
import { useDatabase } from '../testing/use-database.ts';

class Sports1700000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await createTrigramExtension(runner);
    await runner.query('CREATE TABLE sports (name text NOT NULL, note text)');
    await runner.query(
      'CREATE INDEX sports_by_trigrams ON sports USING gin (name public.gin_trgm_ops)',
    );
    await runner.query(`
      INSERT INTO sports
      VALUES ('swimming', '{"pool": 1}'), ('Swimming', NULL), ('diving', '{"pool": 2}'),
             ('long', repeat('ab', 500000))`);
  }
  down(): Promise<void> {
    throw new Error('forward only');
  }
}

const schema = { name: 'sample', entities: [], migrations: [Sports1700000000000] };
const nameRow = z.object({ name: z.string() });

/** Takes PostgreSQL minutes on the long note, because it looks ahead from each place in it. */
const costlyExpression = '(?=.*z)y';

/** Short, so that the suite is. */
const limits = {
  timeoutMs: { longest: 400, shortest: 100 },
  queue: { running: 4, runningOfRealm: 1, waiting: 32, waitingOfRealm: 16, maxWaitMs: 30_000 },
  freeMs: 50,
  keyBudget: { capacity: 600, refillPerSecond: 10 },
  realmBudget: { capacity: 1_200, refillPerSecond: 10 },
};
const queries = new PatternQueries(limits);

const realm = (realmId: number) => ({
  realmId,
  apiKeyId: null,
  mode: 'realm' as const,
  user: null,
  applicationIds: [],
});

describe('a query with regular expressions', () => {
  const database = useDatabase(schema);

  const search = async (patterns: Record<string, Patterns | undefined>, realmId = 1) => {
    const conditions = [sql`name LIKE ${'%ing'}`, ...patternConditions(patterns)];
    const rows = await queries.query(
      database(),
      realm(realmId),
      nameRow,
      sql`SELECT name FROM sports WHERE ${join(conditions, ' AND ')} ORDER BY name COLLATE "C"`,
    );
    return rows.map((row) => row.name);
  };
  const runCostly = (realmId = 2, key = 1) => {
    const [condition] = patternConditions({ note: [costlyExpression] });
    const statement = sql`SELECT name FROM sports WHERE ${condition}`;
    return queries.query(database(), { ...realm(realmId), apiKeyId: key }, nameRow, statement);
  };

  it('finds the texts that match every expression, case-sensitively, at any position', async () => {
    expect(await search({ name: ['imm'] })).toEqual(['Swimming', 'swimming']);
    expect(await search({ name: ['imm', '^s'] })).toEqual(['swimming']);
    expect(await search({ name: ['ing'], note: ['"pool": [12]', '2'] })).toEqual(['diving']);
    expect(await search({ name: ['g'], note: undefined })).toHaveLength(3);
  });

  it.each([
    ['malformed', '('],
    ['refused', '(a+)+'],
  ])('rejects an expression that is %s', async (_what, expression) => {
    await expect(search({ name: [expression] })).rejects.toMatchObject({ code: 'invalid' });
  });

  // Each has a back-reference, and no part of the text matches without it.
  it.each([
    [String.raw`^(.)\1$`, 'aa'],
    [String.raw`(?qb)^\(.\)\1$`, 'aa'],
    [String.raw`(?icqb)^\(.\)\1$`, 'aa'],
    [String.raw`(?xt)^#(.)\1$`, '#aa'],
    ['(?tx)^ (.) # (\n\\1$', 'aa'],
    [String.raw`^\c[(.)\1x$`, '\u001baax'],
    [String.raw`^\c\(.)\1$`, '\u001caa'],
    [String.raw`^[\c[:](.)\1[:]$`, ':aa:'],
    [String.raw`^[\c\](.)\1[]]$`, '\u001caa]'],
    [String.raw`^[^]](.)\1[]a]$`, 'baa]'],
    [String.raw`^[[.].]](.)\1$`, ']aa'],
    [String.raw`^[[:<:]](.)\1[[:>:]]$`, 'aa'],
    [String.raw`^\x5b(.)\1$`, '[aa'],
    [String.raw`^\133(.)\1$`, '[aa'],
    [String.raw`^\y(.)\1\y$`, 'aa'],
  ])('refuses the back-reference that PostgreSQL finds in %s', async (expression, text) => {
    expect(() => patternConditions({ name: [expression] })).toThrow(/back-reference|advanced/);
    const differing = text.replace('aa', 'ab');
    const matches = database().many(
      z.object({ repeated: z.boolean(), differing: z.boolean() }),
      sql`SELECT ${text} ~ ${expression} AS repeated, ${differing} ~ ${expression} AS differing`,
    );
    expect(await matches).toEqual([{ repeated: true, differing: false }]);
  });

  it('cancels expressions that take too long, without delaying other queries', async () => {
    // All connections are open before: to open one takes longer than a query.
    await Promise.all(
      Array.from({ length: 8 }, () => database().execute(sql`SELECT count(*) FROM sports`)),
    );
    let ended = 0;
    const flood = Array.from({ length: 3 }, async (_, index) => {
      await expect(runCostly(index + 10)).rejects.toMatchObject({
        code: 'invalid',
        message: 'a regular expression takes too long',
      });
      ended += 1;
    });
    /** Queries until the first expression has been cancelled; counts those that ended before. */
    const countQueries = async () => {
      let before = 0;
      while (ended === 0) {
        await database().execute(sql`SELECT count(*) FROM sports`);
        if (ended === 0) before += 1;
      }
      return before;
    };
    const counts = await Promise.all(Array.from({ length: 5 }, countQueries));
    await Promise.all(flood);
    expect(counts).not.toContain(0);
    expect(await search({ name: ['^d'] })).toEqual(['diving']);
  });

  it('answers another realm while one floods, and the flood spends its budget', async () => {
    const codes = new Set<string>();
    const flood = Array.from({ length: 30 }, async () => {
      codes.add(
        await runCostly(5).then(
          () => 'none',
          (error: Failure) => error.code,
        ),
      );
    });
    let pending = true;
    const flooded = Promise.all(flood).finally(() => (pending = false));
    for (let round = 0; round < 20; round += 1) {
      expect(await search({ name: ['^d'] }, 6)).toEqual(['diving']);
    }
    expect(pending).toBe(true);
    await flooded;
    expect([...codes].toSorted()).toEqual(['invalid', 'over-limit']);
    await expect(runCostly(5)).rejects.toMatchObject({ code: 'over-limit' });
    // Another key of the realm has a budget of its own, until that of the realm is spent.
    await expect(runCostly(5, 2)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('counts against the budget of the user of a key, whose other keys leave the rest of the realm its part', async () => {
    // A busy machine stops a query late, and the realm pays for that time too.
    const ofKeys = new PatternQueries({
      ...limits,
      realmBudget: { capacity: 60_000, refillPerSecond: 10 },
    });
    const as = (apiKeyId: number | null, userId: number | null) => {
      const [condition] = patternConditions({ note: [costlyExpression] });
      const user =
        userId === null ? null : { id: userId, email: emailAddress.parse(`${userId}@example.com`) };
      const scope = { ...realm(7), apiKeyId, user };
      return ofKeys.query(
        database(),
        scope,
        nameRow,
        sql`SELECT name FROM sports WHERE ${condition}`,
      );
    };
    const codes: string[] = [];
    const spend = async (key: number) => {
      codes.push(await as(key, 1).then(String, (error: Failure) => error.code));
      if (codes.at(-1) !== 'over-limit') await spend(key);
    };
    await spend(1);
    await spend(2);
    expect(codes.filter((code) => code === 'over-limit')).toHaveLength(2);
    expect(codes.at(-1)).toBe('over-limit');
    expect(codes.indexOf('over-limit')).toBe(codes.length - 2);
    await expect(as(3, 2)).rejects.toMatchObject({ code: 'invalid' });
    await expect(as(null, null)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('expires at the deadline of its request', async () => {
    const context = { requestId: 'late', deadline: Date.now() + 200 };
    await expect(runInRequestContext(context, () => runCostly(4))).rejects.toMatchObject({
      code: 'expired',
    });
  });

  it('shares its budget with the counts of lists, whose totals are null beyond it', async () => {
    const all = sql`SELECT FROM sports`;
    const total = (rows = all) => countRows(database(), realm(5), rows);
    expect(await total()).toBe(4);
    const slow = sql`SELECT FROM sports WHERE name <> 'long' OR pg_sleep(10) IS NOT NULL`;
    const context = { requestId: 'slow', deadline: Date.now() + 200 };
    const late = await runInRequestContext(context, () => total(slow));
    expect(late).toBeNull();
  });

  it('a query with regular expressions can use a trigram index', async () => {
    const plan = await database().transaction(async () => {
      await database().execute(sql`SET LOCAL enable_seqscan = off`);
      return database().many(
        z.object({ 'QUERY PLAN': z.string() }),
        sql`EXPLAIN SELECT FROM sports WHERE name ~ 'wimm'`,
      );
    });
    expect(JSON.stringify(plan)).toContain('sports_by_trigrams');
  });
});
