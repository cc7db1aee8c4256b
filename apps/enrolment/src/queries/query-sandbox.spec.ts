import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Database, sql } from '@registrar/persistence';
import { useDatabase } from '@registrar/persistence/testing';
import { clock, runInRequestContext } from '@registrar/platform';
import * as z from 'zod';
import { enrolmentSchema } from '../schema.ts';
import { withDatabaseSettings } from './database-settings.fixture.ts';
import { inQuerySandbox, type QuerySandbox, type ResultPart } from './query-sandbox.ts';

type Options = Partial<Parameters<typeof inQuerySandbox>[1]>;

describe('the sandbox of stored queries', () => {
  const database = useDatabase(enrolmentSchema);
  afterEach(() => vi.restoreAllMocks());

  const run = <T>(
    work: (sandbox: QuerySandbox) => Promise<T>,
    options: Options = {},
    on: Database = database(),
  ) => inQuerySandbox(on, { access: 'READ ONLY', scope: null, ...options }, work);

  const partsOf = async (sandbox: QuerySandbox, text: string, size = 10) => {
    const parts: ResultPart[] = [];
    for await (const part of sandbox.read({ text, values: [] }, size)) parts.push(part);
    return parts;
  };
  const rowsOf = async (text: string, size?: number, on?: Database) => {
    const parts = await run((sandbox) => partsOf(sandbox, text, size), {}, on);
    return parts.map(({ rows }) => rows);
  };

  it('the sandbox of stored queries gives a statement thirty seconds, or fewer, and no more than until the deadline', async () => {
    const timeoutMs = (options: Options = {}) =>
      run(async (sandbox) => {
        const [row] = await sandbox.many(
          z.object({ ms: z.number() }),
          sql`SELECT setting::integer AS ms FROM pg_settings WHERE name = 'statement_timeout'`,
        );
        return row?.ms;
      }, options);
    expect(await timeoutMs()).toBe(30_000);
    expect(await timeoutMs({ timeoutMs: 3_000 })).toBe(3_000);
    vi.spyOn(clock, 'now').mockReturnValue(1_000);
    const until = <T>(deadline: number, work: () => Promise<T>) =>
      runInRequestContext({ requestId: 'request-1', deadline }, work);
    expect(await until(6_000.5, timeoutMs)).toBe(5_001);
    expect(await until(6_000, () => timeoutMs({ timeoutMs: 3_000 }))).toBe(3_000);
    // For PostgreSQL, 0 is no limit.
    const work = vi.fn<() => Promise<void>>();
    await expect(until(1_000, () => run(work))).rejects.toMatchObject({ code: 'expired' });
    expect(work).not.toHaveBeenCalled();
  });

  it('the sandbox of stored queries writes times as the API does, whatever the settings of the database are', async () => {
    const settings = {
      DateStyle: 'German',
      IntervalStyle: 'iso_8601',
      TimeZone: 'Asia/Tokyo',
    };
    const text = `SELECT '2026-01-02'::date AS day, '2026-01-02 03:04:05+02'::timestamptz AS time,
                    interval '1 day 2 hours' AS span`;
    const row = '{"day":"2026-01-02","time":"2026-01-02T01:04:05Z","span":"1 day 02:00:00"}';
    await withDatabaseSettings(database(), settings, async (configured) =>
      expect(await rowsOf(text, 10, configured)).toEqual([[row]]),
    );
  });

  it('the sandbox of stored queries checks its connection first, and runs nothing on one that is refused', async () => {
    const pid = z.object({ pid: z.number() });
    const ownPid = sql`SELECT pg_backend_pid() AS pid`;
    let checked: unknown;
    const used = await run((sandbox) => sandbox.many(pid, ownPid), {
      check: async (select) => {
        checked = await select(ownPid);
      },
    });
    expect(checked).toEqual(used);
    const work = vi.fn<() => Promise<void>>();
    const check = () => Promise.reject(new Error('the standby is behind'));
    await expect(run(work, { check })).rejects.toThrow('the standby is behind');
    expect(work).not.toHaveBeenCalled();
  });

  it('the sandbox of stored queries keeps nothing of its transaction, and gives its connection back', async () => {
    const create = 'CREATE TABLE kept (n integer)';
    for (let connection = 0; connection <= 10; connection += 1) {
      await run((sandbox) => sandbox.execute(create), { access: 'READ WRITE' });
      const failing = run(
        async (sandbox) => {
          await sandbox.execute(create);
          await sandbox.execute('SELECT 1 / 0');
        },
        { access: 'READ WRITE' },
      );
      await expect(failing).rejects.toThrow('division by zero');
    }
    await expect(run((sandbox) => sandbox.execute(create))).rejects.toThrow('read-only');
  });

  it('the sandbox of stored queries runs a single statement of foreign text', async () => {
    const two = run((sandbox) => sandbox.execute('SELECT 1; SELECT 2'));
    await expect(two).rejects.toThrow('multiple commands');
  });

  it.each([
    [5, [2, 2, 1]],
    [4, [2, 2, 0]],
    [0, [0]],
  ])('The sandbox of stored queries reads %i rows in parts of %j', async (count, sizes) => {
    const parts = await run((sandbox) =>
      partsOf(sandbox, `SELECT n, 'x' AS text FROM generate_series(1, ${count}) AS n`, 2),
    );
    expect(parts.map(({ rows }) => rows.length)).toEqual(sizes);
    for (const { columns } of parts) {
      expect(columns).toEqual([
        { name: 'n', kind: 'integer' },
        { name: 'text', kind: 'text' },
      ]);
    }
    const numbers = parts.flatMap(({ rows }) => rows);
    expect(numbers).toEqual(Array.from({ length: count }, (_, n) => `{"n":${n + 1},"text":"x"}`));
  });

  it('the sandbox of stored queries ends a query whose reader stops, and goes on after one that fails', async () => {
    await run(async (sandbox) => {
      const text = 'SELECT n FROM generate_series(1, 100000) AS n';
      for await (const { rows } of sandbox.read({ text, values: [] }, 2)) {
        expect(rows).toEqual(['{"n":1}', '{"n":2}']);
        break;
      }
      expect(await partsOf(sandbox, 'SELECT 3 AS n')).toMatchObject([{ rows: ['{"n":3}'] }]);
    });
    const failing = rowsOf('SELECT 1 / (3 - n) AS n FROM generate_series(1, 9) AS n', 1);
    await expect(failing).rejects.toThrow('division by zero');
    expect(await rowsOf('SELECT 3 AS n')).toEqual([['{"n":3}']]);
  });

  it('the sandbox of stored queries refuses a row of more than 1048576 characters', async () => {
    const longest = 1024 * 1024 - '{"text":""}'.length;
    const [rows = []] = await rowsOf(`SELECT repeat('x', ${longest}) AS text`);
    expect(rows.map(({ length }) => length)).toEqual([1024 * 1024]);
    await expect(rowsOf(`SELECT repeat('x', ${longest + 1}) AS text`)).rejects.toMatchObject({
      code: 'invalid',
      message: 'a row of the result exceeds 1048576 characters',
    });
  });

  it('the sandbox of stored queries refuses a part of more than 16 MiB, and no result of smaller ones', async () => {
    const rows = `SELECT repeat('x', 1000000) AS text FROM generate_series(1, 20)`;
    expect((await rowsOf(rows, 10)).map(({ length }) => length)).toEqual([10, 10, 0]);
    await expect(rowsOf(rows, 20)).rejects.toMatchObject({
      code: 'invalid',
      message: 'consecutive rows of the result exceed 16777216 bytes',
    });
    expect(await rowsOf('SELECT 3 AS n')).toEqual([['{"n":3}']]);
  });

  it('the sandbox of stored queries refuses a value that is nested too deeply, beside others', async () => {
    const nested = (levels: number) => `'${'['.repeat(levels)}${']'.repeat(levels)}'::json`;
    expect(await rowsOf(`SELECT ${nested(100)} AS deep`)).toHaveLength(1);
    for (const columns of [`${nested(101)} AS deep, 1 AS n`, `1 AS n, ${nested(101)} AS deep`]) {
      await expect(rowsOf(`SELECT ${columns}`)).rejects.toMatchObject({ code: 'invalid' });
    }
  });
});
