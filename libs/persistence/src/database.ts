import { AsyncLocalStorage } from 'node:async_hooks';
import { Failure } from '#libs/contracts';
import { currentOperation, remainingTime } from '#libs/platform';
import {
  type DataSource,
  type EntityManager,
  type ObjectLiteral,
  type EntityTarget,
  type Repository,
  QueryFailedError,
} from 'typeorm';

interface Transaction {
  readonly manager: EntityManager;
  readonly afterCommit: (() => void)[];
  /** When the statement timeout was last set, and for which deadline. */
  limited: { readonly at: number; readonly deadline: number | null };
}

/** How much longer than its deadline a statement may run at most: milliseconds. */
const tolerance = 200;

/**
 * A context's own schema. Code inside {@link Database.transaction} shares that transaction,
 * however deep it stands: repositories and the outbox need no transaction handed to them.
 *
 * A statement never outlives the deadline of the operation it works for: PostgreSQL stops it, and
 * the caller gets the failure `expired`.
 */
export class Database {
  readonly #transactions = new AsyncLocalStorage<Transaction>();

  constructor(readonly dataSource: DataSource) {}

  /** The current transaction's manager; outside of one, the pool's. */
  get manager(): EntityManager {
    return this.#transactions.getStore()?.manager ?? this.dataSource.manager;
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
    if (transaction || remainingTime() === Infinity) {
      if (transaction) await limit(transaction);
      const answer: unknown = await this.manager.query(sql, parameters).catch(expiredOr);
      return rowsOf<Row>(answer);
    }
    return this.transaction(() => this.query<Row>(sql, parameters));
  }

  /** Runs `work` in one transaction, or in the one that the caller has already begun. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.inTransaction) return work();
    const remaining = remainingTime();
    if (remaining === 0)
      throw new Failure('expired', 'the deadline passed before a transaction began');
    const afterCommit: (() => void)[] = [];
    const result = await this.dataSource
      .transaction(async (manager) => {
        const transaction = { manager, afterCommit, limited: { at: -Infinity, deadline: null } };
        await limit(transaction);
        return this.#transactions.run(transaction, work);
      })
      .catch(expiredOr);
    for (const task of afterCommit) task();
    return result;
  }

  /** Runs `task` once the current transaction has committed, and never if it does not. */
  afterCommit(task: () => void): void {
    const transaction = this.#transactions.getStore();
    if (!transaction) throw new Error('afterCommit needs a transaction');
    transaction.afterCommit.push(task);
  }

  /** Runs `work` outside of the caller's transaction, if there is one. */
  detached<T>(work: () => T): T {
    return this.#transactions.exit(work);
  }
}

/**
 * PostgreSQL counts a statement's time from its own start, so a transaction that takes long, or
 * that goes on under a nearer deadline, needs a shorter limit for its later statements.
 */
async function limit(transaction: Transaction): Promise<void> {
  const deadline = currentOperation()?.deadline ?? null;
  const now = Date.now();
  const { limited } = transaction;
  if (deadline === null || (limited.deadline === deadline && now - limited.at < tolerance)) return;
  transaction.limited = { at: now, deadline };
  const time = Math.max(1, Math.ceil(deadline - now));
  await transaction.manager.query(`SET LOCAL statement_timeout = ${time}`);
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

const queryCanceled = '57014';

/** PostgreSQL's error code of a failed query (PostgreSQL manual, Appendix A), if it is one. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof QueryFailedError
    ? (error.driverError as { code?: string }).code
    : undefined;
}

function expiredOr(error: unknown): never {
  if (sqlState(error) === queryCanceled) {
    throw new Failure('expired', 'the database stopped a statement at the deadline', undefined, {
      cause: error,
    });
  }
  throw error;
}
