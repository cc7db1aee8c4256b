import { Failure } from '#libs/contracts';
import { remainingTime } from '#libs/platform';
import type pg from 'pg';
import {
  type DataSource,
  type EntityManager,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
} from 'typeorm';

/**
 * The steps in which statement timeouts are set, and so how much longer than its deadline a
 * statement may run: milliseconds. Most statements of a pool find the limit that they need.
 */
const step = 200;

/** How long after a deadline a server that says nothing at all is given up: milliseconds. */
const patience = 1_000;

/**
 * The statement timeout that each connection of a pool was left with: milliseconds; none is 0.
 * So a lone statement usually costs one round trip, and not the three more of a transaction.
 */
const limits = new WeakMap<pg.PoolClient, number>();

/** What PostgreSQL is to stop a statement after that is begun now: milliseconds; 0 for never. */
function limitNow(): number {
  const remaining = remainingTime();
  if (remaining === 0) throw new Failure('expired', 'the deadline passed before a statement began');
  return Number.isFinite(remaining) ? Math.ceil(remaining / step) * step : 0;
}

/** A connection of the pool, for a while; its statements end with their operation. */
export class Session {
  #depth = 0;
  /** Of the next statement; within a transaction it differs from what the connection keeps. */
  #limit: number;
  /** Why the connection broke; of one that breaks between statements, TypeORM does not tell. */
  #broken: Error | undefined;
  readonly #breaks = (error: Error) => void (this.#broken ??= error);

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: pg.PoolClient,
  ) {
    this.#limit = limits.get(client) ?? 0;
    client.on('error', this.#breaks);
  }

  static async open(dataSource: DataSource): Promise<Session> {
    const runner = dataSource.createQueryRunner();
    return new Session(runner, (await runner.connect()) as pg.PoolClient);
  }

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async query<Row>(sql: string, parameters: unknown[]): Promise<Row[]> {
    await this.#setLimit();
    return this.#inTime(async () => rowsOf<Row>(await this.runner.query(sql, parameters)));
  }

  /** Within a transaction, one that is undone alone: a savepoint. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#setLimit();
    const limit = this.#limit;
    await this.#inTime(() => this.runner.startTransaction());
    this.#depth += 1;
    try {
      const result = await work();
      await this.#inTime(() => this.runner.commitTransaction());
      return result;
    } catch (error) {
      // What is undone includes the limits that were set in it.
      this.#limit = limit;
      // The first error says more than that of a connection which has broken by it.
      await this.#inTime(() => this.runner.rollbackTransaction()).catch(() => undefined);
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#limit = limits.get(this.client) ?? 0;
    }
  }

  close(): Promise<void> {
    this.client.off('error', this.#breaks);
    return this.runner.release();
  }

  /**
   * PostgreSQL counts a statement's time from its own start, so that the later ones of an operation
   * need a shorter limit. What a transaction sets ends with it.
   */
  async #setLimit(): Promise<void> {
    const limit = limitNow();
    if (limit === this.#limit) return;
    const scope = this.#depth > 0 ? 'LOCAL' : 'SESSION';
    await this.#inTime(() => this.runner.query(`SET ${scope} statement_timeout = ${limit}`));
    if (this.#depth === 0) limits.set(this.client, limit);
    this.#limit = limit;
  }

  /** A server that cannot be reached any more stops no statement: the connection is given up. */
  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    const remaining = remainingTime();
    const timer = Number.isFinite(remaining)
      ? setTimeout(() => void this.client.end(), remaining + patience)
      : undefined;
    try {
      return await work();
    } catch (error) {
      throw error instanceof QueryRunnerAlreadyReleasedError ? (this.#broken ?? error) : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What `pg` answers to UPDATE and DELETE through TypeORM is `[rows, count]`. */
function rowsOf<Row>(answer: unknown): Row[] {
  const isCounted =
    Array.isArray(answer) &&
    answer.length === 2 &&
    Array.isArray(answer[0]) &&
    typeof answer[1] === 'number';
  return (isCounted ? answer[0] : answer) as Row[];
}
