import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '@registrar/contracts';
import { remainingTimeMs } from '@registrar/platform';
import type pg from 'pg';
import { type QueryResult, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { queryCanceled, sqlState } from './sql-state.ts';
import { inStatementSpan } from './statement-span.ts';

/**
 * Statement timeouts are multiples of this, so that most statements find the timeout they need
 * already set on their connection. A statement may exceed its deadline by as much.
 */
const timeoutStepMs = 200;

/** How long after the deadline an unresponsive server is disconnected. */
const unresponsiveGraceMs = 1_000;

/**
 * TypeORM's commands for transactions and savepoints, which run after the deadline too. Their text
 * identifies them, because a statement that starts while a ROLLBACK runs must still fail: it would
 * be executed after the transaction.
 */
const transactionCommand =
  /^(START TRANSACTION|COMMIT|ROLLBACK|(RELEASE |ROLLBACK TO )?SAVEPOINT typeorm_\d+)$/;

/**
 * The statement timeout in milliseconds that is set on each connection of a pool; 0 is none. It
 * saves a single statement the three round trips of a transaction with `SET LOCAL`.
 */
const sessionTimeouts = new WeakMap<pg.PoolClient, number>();

/**
 * The statement timeout for a statement that starts now, in milliseconds; 0 is none.
 *
 * @throws {Failure} `expired` after the deadline
 */
function timeoutNow(): number {
  const remaining = remainingTimeMs();
  if (remaining === 0) throw expired('the deadline passed before a statement started');
  return Number.isFinite(remaining) ? Math.ceil(remaining / timeoutStepMs) * timeoutStepMs : 0;
}

/**
 * Runs statements of SQL text and of repositories alike. Each gets the time that remains until the
 * deadline as its statement timeout.
 *
 * @throws {Failure} `expired` when PostgreSQL cancels a statement at the deadline
 * @throws {DatabaseUnavailable}
 */
export class ContextQueryRunner extends PostgresQueryRunner {
  #client: pg.PoolClient | undefined;
  #connectionError: Error | undefined;
  /** Milliseconds; undefined while the session's timeout applies. */
  #localTimeout: number | undefined;
  /** The value of `#localTimeout` at the start of the transaction and of each savepoint. */
  readonly #outerTimeouts: (number | undefined)[] = [];
  #isShared = false;

  /** TypeORM does not report a connection that breaks between two statements. */
  readonly #onConnectionError = (error: Error) => void (this.#connectionError ??= error);

  override async connect(): Promise<pg.PoolClient> {
    if (this.#client) return this.#client;
    const client = (await super.connect().catch(toFailure)) as pg.PoolClient;
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
    parameters?: unknown[],
    useStructuredResult = false,
  ): Promise<unknown> {
    const send = () => super.query(text, parameters, useStructuredResult) as Promise<unknown>;
    if (transactionCommand.test(text)) return this.#withinGrace(send);
    return inStatementSpan(this.dataSource, text, async () => {
      await this.#setStatementTimeout();
      return this.#withinGrace(send);
    });
  }

  override async startTransaction(): Promise<void> {
    await this.#setStatementTimeout();
    await super.startTransaction();
    this.#outerTimeouts.push(this.#localTimeout);
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    this.#outerTimeouts.pop();
    if (this.transactionDepth === 0) this.#localTimeout = undefined;
  }

  /** A rollback undoes the timeouts that were set since the transaction or savepoint started. */
  override async rollbackTransaction(): Promise<void> {
    this.#localTimeout = this.#outerTimeouts.pop();
    await super.rollbackTransaction();
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

  /**
   * PostgreSQL counts the timeout from the start of each statement, so later statements of a
   * request need a shorter one.
   */
  async #setStatementTimeout(): Promise<void> {
    const timeout = timeoutNow();
    const client = await this.connect();
    if (timeout === (this.#localTimeout ?? sessionTimeouts.get(client) ?? 0)) return;
    const isLocal = this.transactionDepth > 0;
    const set = `SET ${isLocal ? 'LOCAL' : 'SESSION'} statement_timeout = ${timeout}`;
    await this.#withinGrace(() => super.query(set));
    if (isLocal) this.#localTimeout = timeout;
    else sessionTimeouts.set(client, timeout);
  }

  /** Closes the connection when the server has not cancelled the statement by itself. */
  async #withinGrace<T>(work: () => Promise<T>): Promise<T> {
    const remaining = remainingTimeMs();
    const timer = Number.isFinite(remaining)
      ? setTimeout(() => void this.#client?.end(), remaining + unresponsiveGraceMs)
      : undefined;
    try {
      return await work();
    } catch (error) {
      const isReleased = error instanceof QueryRunnerAlreadyReleasedError;
      return toFailure(isReleased ? (this.#connectionError ?? error) : error);
    } finally {
      clearTimeout(timer);
    }
  }
}

const expired = (message: string, cause?: unknown) =>
  new Failure('expired', message, undefined, { cause });

function toFailure(error: unknown): never {
  if (sqlState(error) === queryCanceled) {
    throw expired('PostgreSQL cancelled a statement at the deadline', error);
  }
  throw DatabaseUnavailable.fromError(error) ?? error;
}
