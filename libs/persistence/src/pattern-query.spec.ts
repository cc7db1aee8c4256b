import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Patterns } from '#libs/contracts';
import { runOperation } from '#libs/platform';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { type Database } from './database.ts';
import { createTrigramExtension, patternConditions, queryWithPatterns } from './pattern-query.ts';
import { openDatabase } from './persistence-module.ts';

class Things1700000000000 {
  async up(runner: Parameters<typeof createTrigramExtension>[0]): Promise<void> {
    await createTrigramExtension(runner);
    await runner.query('CREATE TABLE things (name text NOT NULL, note text)');
    await runner.query(
      'CREATE INDEX things_by_trigrams ON things USING gin (name public.gin_trgm_ops)',
    );
    await runner.query(`
      INSERT INTO things
      VALUES ('swimming', '{"pool": 1}'), ('Swimming', NULL), ('diving', '{"pool": 2}'),
             (repeat('ab', 200), 'long')`);
  }
  down(): Promise<void> {
    throw new Error('forward only');
  }
}

const schema = { name: 'sample', entities: [], migrations: [Things1700000000000] };

/** Takes PostgreSQL years on a text of some hundred characters. */
const catastrophe = String.raw`(.+)(.+)(.+)\3\2\1\1\1\1\1\1\1\2\2\2\2y?$`;

describe('a query with regular expressions', () => {
  let server: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await createTestDatabase();
    database = await openDatabase(schema, server.url);
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await server.drop();
  });

  const search = async (patterns: Record<string, Patterns | undefined>) => {
    const parameters: unknown[] = ['%ing'];
    const conditions = ['name LIKE $1 OR $1 IS NULL', ...patternConditions(patterns, parameters)];
    const rows = await queryWithPatterns<{ name: string }>(
      database,
      `SELECT name FROM things WHERE (${conditions.join(') AND (')}) ORDER BY name COLLATE "C"`,
      parameters,
    );
    return rows.map((row) => row.name);
  };
  const costly = () =>
    queryWithPatterns(database, 'SELECT FROM things WHERE name ~ $1', [catastrophe]);

  it('finds the texts that match every expression, in their case, wherever they match', async () => {
    expect(await search({ name: ['imm'] })).toEqual(['Swimming', 'swimming']);
    expect(await search({ name: ['imm', '^s'] })).toEqual(['swimming']);
    expect(await search({ name: ['ing'], note: ['"pool": [12]', '2'] })).toEqual(['diving']);
    expect(await search({ name: ['g'], note: undefined })).toHaveLength(3);
  });

  it.each([
    ['that cannot be parsed', '('],
    ['that is too complex', '((x{0,100}){0,100}){0,100}y'],
  ])('refuses an expression %s', async (_what, expression) => {
    await expect(search({ name: [expression] })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('stops expressions that take too long, and leaves all other queries be meanwhile', async () => {
    const ended: string[] = [];
    const flood = Array.from({ length: 3 }, async (_, index) => {
      await expect(costly()).rejects.toMatchObject({
        code: 'invalid',
        message: 'a regular expression takes too long',
      });
      ended.push(`costly ${index}`);
    });
    await Promise.all(
      Array.from({ length: 50 }, () => database.query('SELECT count(*) FROM things')),
    );
    ended.push('the others');
    await Promise.all(flood);
    expect(ended[0]).toBe('the others');
    expect(await search({ name: ['^d'] })).toEqual(['diving']);
  });

  it('ends at the deadline of its operation, if that comes first', async () => {
    const operation = { requestId: 'late', deadline: Date.now() + 200 };
    await expect(runOperation(operation, costly)).rejects.toMatchObject({ code: 'expired' });
  });

  it('can be served by a trigram index', async () => {
    const plan = await database.transaction(async () => {
      await database.query('SET LOCAL enable_seqscan = off');
      return database.query(`EXPLAIN SELECT FROM things WHERE name ~ 'wimm'`);
    });
    expect(JSON.stringify(plan)).toContain('things_by_trigrams');
  });
});
