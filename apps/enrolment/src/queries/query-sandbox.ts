import { type AccessScope, Failure, type QueryColumn } from '@registrar/contracts';
import { remainingTimeMs } from '@registrar/platform';
import { type Database, inStatementSpan, type Sql, sql } from '@registrar/persistence';
import type pg from 'pg';
import Cursor from 'pg-cursor';
import * as z from 'zod';
import { reportViewSettings } from '../access-rules.ts';
import { columnKind, parseValue } from './query-columns.ts';

/*
 * SQL text that operators have written runs in this file and nowhere else. It goes to pg directly
 * and not through Database, for two reasons: a cursor reads a result of a million rows in constant
 * memory, and the transaction is prepared (search path, time-out, reach) before foreign text runs.
 */

/** How long a query may run, including the time to read its result. */
const queryTimeoutMs = 30_000;

interface SandboxOptions {
  readonly access: 'READ ONLY' | 'READ WRITE';
  /** The views hold what this scope reaches; they are empty for null. */
  readonly scope: AccessScope | null;
  readonly timeoutMs?: number;
}

/** A part of a result. The columns are the same in each part. */
export interface ResultPart {
  readonly columns: QueryColumn[];
  /** Each row as JSON text, its keys in the order of the columns. */
  readonly rows: string[];
}

/**
 * Runs `work` on a connection of its own, in a transaction that is always rolled back. Names of
 * relations refer to the views of stored queries (docs/queries.md).
 *
 * @throws {Failure} `expired` when no time is left until the deadline
 */
export async function inQuerySandbox<T>(
  database: Database,
  { access, scope, timeoutMs = queryTimeoutMs }: SandboxOptions,
  work: (sandbox: QuerySandbox) => Promise<T>,
): Promise<T> {
  const statementTimeoutMs = Math.ceil(Math.min(timeoutMs, remainingTimeMs()));
  if (statementTimeoutMs === 0)
    throw new Failure('expired', 'the deadline passed before the query');
  const settings = {
    statement_timeout: `${statementTimeoutMs}`,
    search_path: 'reports, pg_temp',
    // parseValue depends on these three.
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    ...reportViewSettings(scope),
  };
  const runner = database.dataSource.createOwnRunner();
  try {
    const client = await runner.connect();
    await client.query(`BEGIN ${access}`);
    try {
      await client.query(
        sql`SELECT set_config(name, value, true)
            FROM unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[])
              AS s (name, value)`,
      );
      // The span holds no SQL: an operator may have written personal data into the text.
      return await inStatementSpan(database.dataSource, null, () => work(new QuerySandbox(client)));
    } finally {
      await client.query('ROLLBACK');
    }
  } finally {
    await runner.release();
  }
}

/** The connection inside {@link inQuerySandbox}. */
export class QuerySandbox {
  constructor(private readonly client: pg.PoolClient) {}

  /** Returns the rows of one of our own statements. */
  async many<Row>(schema: z.ZodType<Row>, statement: Sql): Promise<Row[]> {
    const { rows } = await this.client.query(statement);
    return z.array(schema).parse(rows);
  }

  /** Runs foreign text, which the extended protocol rejects unless it is a single statement. */
  async execute(text: string): Promise<void> {
    const query: pg.QueryConfig & { queryMode: 'extended' } = { text, queryMode: 'extended' };
    await this.client.query(query);
  }

  /**
   * Runs foreign text as a query and yields its rows, `size` at a time. Yields one part at least,
   * also for a result without rows. The query ends when the consumer stops iterating.
   */
  async *read(
    { text, values }: { readonly text: string; readonly values: readonly (string | null)[] },
    size: number,
  ): AsyncGenerator<ResultPart, void, undefined> {
    const cursor = this.client.query(
      new Cursor<(string | null)[]>(text, [...values], { rowMode: 'array', types: textTypes }),
    );
    const readPart = () =>
      new Promise<ResultPart & { complete: boolean }>((resolve, reject) => {
        cursor.read(size, (error, rows, result) => {
          if (error) return reject(error);
          const { fields } = result;
          resolve({
            columns: fields.map(({ name, dataTypeID }) => ({ name, kind: columnKind(dataTypeID) })),
            rows: rows.map((row) => toJson(row, fields)),
            complete: rows.length < size,
          });
        });
      });
    // A cursor that has failed or is complete has closed itself.
    let open = true;
    try {
      while (open) {
        open = false;
        const { complete, ...part } = await readPart();
        open = !complete;
        yield part;
      }
    } finally {
      if (open) await cursor.close();
    }
  }
}

/** Leaves values in PostgreSQL's text format, for {@link parseValue}. */
const textTypes = { getTypeParser: () => (value: unknown) => value };

const toJson = (row: readonly (string | null)[], fields: readonly pg.FieldDef[]): string =>
  JSON.stringify(
    Object.fromEntries(
      fields.map(({ name, dataTypeID }, index) => [
        name,
        parseValue(row[index] ?? null, dataTypeID),
      ]),
    ),
  );
