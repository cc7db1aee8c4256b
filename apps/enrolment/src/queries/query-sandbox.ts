import {
  type AccessScope,
  Failure,
  isShallowJson,
  maxJsonDepth,
  type QueryColumn,
} from '@registrar/contracts';
import { remainingTimeMs } from '@registrar/platform';
import { type Database, type ReportSource, type Sql, sql } from '@registrar/persistence';
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

/**
 * How much PostgreSQL may send for one part of a result: bytes. The process that reads it runs
 * several queries at a time.
 */
const maxPartBytes = 16 * 1024 * 1024;

/** The longest row that is sent to clients: characters of JSON. */
const maxRowLength = 1024 * 1024;

interface SandboxOptions {
  readonly access: 'READ ONLY' | 'READ WRITE';
  /** The views hold what this scope reaches; they are empty for null. */
  readonly scope: AccessScope | null;
  readonly timeoutMs?: number;
  /** Checks the connection before the transaction begins. */
  readonly check?: ReportSource['check'];
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
  { access, scope, timeoutMs = queryTimeoutMs, check }: SandboxOptions,
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
    await check?.(async ({ text, values }) => (await runner.query(text, values, true)).records);
    await client.query(`BEGIN ${access}`);
    try {
      await client.query(
        sql`SELECT set_config(name, value, true)
            FROM unnest(${Object.keys(settings)}::text[], ${Object.values(settings)}::text[])
              AS s (name, value)`,
      );
      // The span holds no SQL: an operator may have written personal data into the text.
      return await runner.inStatementSpan(null, () => work(new QuerySandbox(client)));
    } finally {
      // It fails on a connection that was cut off, and the pool discards such a connection.
      await client.query('ROLLBACK').catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}

/** The connection inside {@link inQuerySandbox}. */
export class QuerySandbox {
  constructor(private readonly client: pg.Client) {}

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
   *
   * @throws {Failure} `invalid` for a part or a row that is too long, and for JSON that is nested too
   * deeply
   */
  async *read(
    { text, values }: { readonly text: string; readonly values: readonly (string | null)[] },
    size: number,
  ): AsyncGenerator<ResultPart, void, undefined> {
    const cursor = this.client.query(
      new Cursor<(string | null)[]>(text, [...values], { rowMode: 'array', types: textTypes }),
    );
    // Nothing may throw inside the callback: its error would reach nobody, and end the process.
    const readRows = () =>
      new Promise<RawPart>((resolve, reject) => {
        cursor.read(size, (error, rows, result) => {
          if (error) reject(error);
          else resolve({ rows, fields: result.fields });
        });
      });
    // A cursor that has failed or is complete has closed itself.
    let open = true;
    try {
      while (open) {
        open = false;
        const { rows, fields } = await withinPartBytes(this.client, readRows);
        open = rows.length === size;
        yield {
          columns: fields.map(({ name, dataTypeID }) => ({ name, kind: columnKind(dataTypeID) })),
          rows: rows.map((row) => toJson(row, fields)),
        };
      }
    } finally {
      if (open) await cursor.close();
    }
  }
}

/** A part of a result as PostgreSQL sends it. */
interface RawPart {
  readonly rows: readonly (readonly (string | null)[])[];
  readonly fields: readonly pg.FieldDef[];
}

/** Leaves values in PostgreSQL's text format, for {@link parseValue}. */
const textTypes = { getTypeParser: () => (value: unknown) => value };

/** Cuts the connection off when PostgreSQL sends too much. No statement can limit it beforehand. */
async function withinPartBytes<T>(
  { connection: { stream } }: pg.Client,
  work: () => Promise<T>,
): Promise<T> {
  let received = 0;
  // Stryker disable next-line EqualityOperator: no client can count the bytes of PostgreSQL's protocol
  const isTooLarge = () => received > maxPartBytes;
  const count = ({ length }: Buffer) => {
    received += length;
    if (isTooLarge()) stream.destroy(new Error('the result is too large'));
  };
  stream.on('data', count);
  try {
    return await work();
  } catch (error) {
    if (!isTooLarge()) throw error;
    throw new Failure('invalid', `consecutive rows of the result exceed ${maxPartBytes} bytes`);
  } finally {
    stream.off('data', count);
  }
}

/** @throws {Failure} `invalid` for JSON that is nested too deeply, and for a row that is too long */
function toJson(row: RawPart['rows'][number], fields: RawPart['fields']): string {
  const values = fields.map(({ dataTypeID }, index) => parseValue(row[index] ?? null, dataTypeID));
  if (!values.every((value) => isShallowJson(value))) {
    throw new Failure('invalid', `a value is nested more than ${maxJsonDepth} levels deep`);
  }
  const text = JSON.stringify(
    Object.fromEntries(fields.map(({ name }, index) => [name, values[index]])),
  );
  if (text.length > maxRowLength) {
    throw new Failure('invalid', `a row of the result exceeds ${maxRowLength} characters`);
  }
  return text;
}
