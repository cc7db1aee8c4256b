import { AsyncLocalStorage } from 'node:async_hooks';
import { Failure } from '#libs/contracts';
import { remainingTime } from '#libs/platform';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { DatabaseAway } from './database-away.ts';
import { Session } from './session.ts';
import { queryCanceled, sqlState } from './sql-state.ts';
import { inStatementSpan } from './statement-span.ts';

interface Transaction {
  readonly session: Session;
  readonly afterCommit: (() => void)[];
}

/**
 * A context's own schema. Code inside {@link Database.transaction} shares that transaction,
 * however deep it stands: repositories and the outbox need no transaction handed to them.
 *
 * A statement never outlives the deadline of the operation it works for by more than 200 ms:
 * PostgreSQL stops it, and the caller gets the failure `expired`. None begins after the deadline.
 * Where the database cannot be reached, the failure is {@link DatabaseAway}.
 */
export class Database {
  readonly #transactions = new AsyncLocalStorage<Transaction>();

  constructor(readonly dataSource: DataSource) {}

  /** The current transaction's manager; outside of one, the pool's. */
  get manager(): EntityManager {
    return this.#transactions.getStore()?.session.manager ?? this.dataSource.manager;
  }

  get inTransaction(): boolean {
    return this.#transactions.getStore() !== undefined;
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /** Runs SQL text with `$1`-style parameters and returns its rows. */
  async query<Row = unknown>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const transaction = this.#transactions.getStore();
    return inStatementSpan(this.dataSource, sql, () =>
      transaction
        ? transaction.session.query<Row>(sql, parameters).catch(asFailure)
        : this.#onSession((session) => session.query<Row>(sql, parameters)),
    );
  }

  /** Runs `work` in one transaction, or in the one that the caller has already begun. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.inTransaction) return work();
    const afterCommit: (() => void)[] = [];
    const result = await this.#onSession((session) =>
      session.transaction(() => this.#transactions.run({ session, afterCommit }, work)),
    );
    for (const task of afterCommit) task();
    return result;
  }

  /** Runs `work` as a part of the current transaction that is undone alone when it fails. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const { session, afterCommit } = this.#current('a savepoint');
    const kept = afterCommit.length;
    try {
      return await session.transaction(work);
    } catch (error) {
      afterCommit.length = kept;
      throw error;
    }
  }

  /** Runs `task` once the current transaction has committed, and never if it does not. */
  afterCommit(task: () => void): void {
    this.#current('afterCommit').afterCommit.push(task);
  }

  /** Runs `work` outside of the caller's transaction, if there is one. */
  detached<T>(work: () => T): T {
    return this.#transactions.exit(work);
  }

  #current(what: string): Transaction {
    const transaction = this.#transactions.getStore();
    if (!transaction) throw new Error(`${what} needs a transaction`);
    return transaction;
  }

  async #onSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    if (remainingTime() === 0) throw expired('the deadline passed before the database was asked');
    let session: Session | undefined;
    try {
      session = await Session.open(this.dataSource);
      return await work(session);
    } catch (error) {
      return asFailure(error);
    } finally {
      await session?.close();
    }
  }
}

const expired = (message: string, cause?: unknown) =>
  new Failure('expired', message, undefined, { cause });

function asFailure(error: unknown): never {
  if (sqlState(error) === queryCanceled) {
    throw expired('the database stopped a statement at the deadline', error);
  }
  throw DatabaseAway.behind(error) ?? error;
}
