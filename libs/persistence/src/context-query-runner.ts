import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '@registrar/contracts';
import { inSpan, isTraced, remainingTimeMs } from '@registrar/platform';
import type pg from 'pg';
import {
  type Driver,
  QueryFailedError,
  QueryResult,
  QueryRunnerAlreadyReleasedError,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import type { ContextClient } from './context-client.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { toTransactionCommand } from './session.ts';
import { queryCanceled, sqlState } from './sql-state.ts';
import { isStale } from './statement.ts';

/**
 * The time for a statement that starts now: milliseconds; Infinity without a deadline.
 *
 * @throws {Failure} `expired` after the deadline
 */
function requireTime(): number {
  const remaining = remainingTimeMs();
  if (remaining === 0) throw expired('the deadline passed before a statement started');
  return remaining;
}

/**
 * Runs statements of SQL text and of repositories alike, and cancels each at the deadline.
 *
 * @throws {Failure} `expired` when PostgreSQL cancels a statement at the deadline
 * @throws {DatabaseUnavailable}
 */
export class ContextQueryRunner extends PostgresQueryRunner {
  #client: ContextClient | undefined;
  #connectionError: Error | undefined;
  #isShared = false;

  /** TypeORM does not report a connection that breaks between two statements. */
  readonly #onConnectionError = (error: Error) => void (this.#connectionError ??= error);

  /** A runner for SQL text alone: it has no entity manager. */
  constructor(driver: Driver) {
    super(driver as PostgresDriver, 'master');
  }

  override async connect(): Promise<ContextClient> {
    if (this.#client) return this.#client;
    const client = (await super.connect().catch(toFailure)) as ContextClient;
    if (this.#client !== client) {
      this.#client = client;
      client.on('error', this.#onConnectionError);
    }
    return client;
  }

  override query(text: string, parameters?: unknown[]): Promise<unknown>;
  override query<Row>(
    text: string,
    parameters: unknown[] | undefined,
    useStructuredResult: true,
  ): Promise<QueryResult<Row>>;
  override async query(
    text: string,
    parameters: unknown[] = [],
    useStructuredResult = false,
  ): Promise<unknown> {
    const command = toTransactionCommand(text);
    // These are executed after the deadline too.
    if (command) {
      return this.#send(text, [], (client) => client.control(command, remainingTimeMs()));
    }
    const result = await this.inStatementSpan(text, async () => {
      // An expired request does not wait for a connection.
      requireTime();
      return this.#send(text, parameters, (client) => client.run(text, parameters, requireTime()));
    });
    const structured = toQueryResult(result);
    return useStructuredResult ? structured : structured.raw;
  }

  /**
   * Runs a statement in a span, by OpenTelemetry's conventions for PostgreSQL. A statement outside of
   * a trace, such as polling for work, does not start one.
   *
   * @param sql a text whose values are parameters; null for a text that may hold personal data
   */
  async inStatementSpan<T>(sql: string | null, run: () => Promise<T>): Promise<T> {
    if (!isTraced()) return run();
    const { url, schema } = this.dataSource.options as { url: string; schema: string };
    const { hostname, port, pathname } = new URL(url);
    const text = sql?.replaceAll(/\s+/g, ' ').trim();
    const operation = text?.split(' ', 1)[0]?.toUpperCase() ?? 'SELECT';
    const attributes = {
      'db.system.name': 'postgresql',
      'db.namespace': `${pathname.slice(1)}|${schema}`,
      'db.operation.name': operation,
      ...(text !== undefined && { 'db.query.text': text }),
      'server.address': hostname,
      ...(port && { 'server.port': Number(port) }),
    };
    return inSpan({ name: `${operation} ${schema}`, kind: 'client', attributes }, run);
  }

  override async startTransaction(): Promise<void> {
    // Its command is sent with the first statement.
    requireTime();
    await super.startTransaction();
  }

  /** Within `work`, callers of {@link release} do not release the connection. */
  async share<T>(work: () => Promise<T>): Promise<T> {
    this.#isShared = true;
    try {
      return await work();
    } finally {
      this.#isShared = false;
      await this.release();
    }
  }

  override async release(): Promise<void> {
    if (this.#isShared) {
      // TypeORM repeats this until it has released all connections: let the transaction go on.
      await nextTurn();
      return;
    }
    this.#client?.off('error', this.#onConnectionError);
    await super.release();
  }

  async #send<T>(
    text: string,
    parameters: unknown[],
    send: (client: ContextClient) => Promise<T>,
  ): Promise<T> {
    // TypeORM releases a connection that breaks.
    if (this.isReleased) {
      toFailure(this.#connectionError ?? new QueryRunnerAlreadyReleasedError());
    }
    const client = await this.connect();
    const { logger } = this.dataSource;
    logger.logQuery(text, parameters, this);
    try {
      return await send(client);
    } catch (error) {
      if (error instanceof Failure) throw error;
      logger.logQueryError(error as Error, text, parameters, this);
      return toFailure(new QueryFailedError(text, parameters, error as Error));
    }
  }
}

/** The result as TypeORM's own runner returns it. */
function toQueryResult({ command, rows, rowCount }: pg.QueryResult): QueryResult {
  const isChange = command === 'UPDATE' || command === 'DELETE';
  return Object.assign(new QueryResult(), {
    records: rows,
    affected: rowCount,
    raw: isChange ? [rows, rowCount] : rows,
  });
}

const expired = (message: string, cause?: unknown) =>
  new Failure('expired', message, undefined, { cause });

function toFailure(error: unknown): never {
  if (sqlState(error) === queryCanceled) {
    throw expired('PostgreSQL cancelled a statement at the deadline', error);
  }
  if (error instanceof QueryFailedError && isStale(error.driverError)) {
    const message = 'a migration has changed the result of a statement in a transaction';
    throw new Failure('unavailable', message, undefined, { cause: error });
  }
  throw DatabaseUnavailable.fromError(error) ?? error;
}
