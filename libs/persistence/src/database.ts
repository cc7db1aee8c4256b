import type { QueryResult } from 'typeorm';
import type { ContextDataSource, CurrentTransaction } from './context-data-source.ts';
import { ContextQueryRunner } from './context-query-runner.ts';
import { checkRows, type RowSchema } from './row-schema.ts';
import type { Sql } from './sql.ts';

/**
 * A context's own schema. All code that runs inside {@link Database.transaction} shares that
 * transaction: SQL, repositories and the outbox alike.
 *
 * A statement exceeds the deadline of its request by at most 200 ms: PostgreSQL cancels it, and the
 * caller gets the failure `expired`. No statement starts after the deadline. Where the database
 * cannot be reached, the failure is {@link DatabaseUnavailable}.
 *
 * Rows are compared with their schema where NODE_ENV is `test` or `development`, and nowhere else.
 */
export class Database {
  readonly #checksRows = ['test', 'development'].includes(process.env['NODE_ENV'] ?? '');

  constructor(readonly dataSource: ContextDataSource) {}

  get inTransaction(): boolean {
    return this.dataSource.transactions.getStore() !== undefined;
  }

  /** Returns all rows of a statement. */
  async many<Row>(schema: RowSchema<Row>, statement: Sql): Promise<Row[]> {
    const { text, values } = statement;
    const { records } = await this.#run(text, values);
    if (this.#checksRows) checkRows(schema, records, text);
    return records as Row[];
  }

  /**
   * Returns the row of a statement, or null if there is none.
   *
   * @throws {Error} if there is more than one row
   */
  async maybeOne<Row>(schema: RowSchema<Row>, statement: Sql): Promise<Row | null> {
    const rows = await this.many(schema, statement);
    if (rows.length > 1) {
      throw new Error(`expected at most one row, got ${rows.length}: ${statement.text}`);
    }
    return rows[0] ?? null;
  }

  /**
   * Returns the row of a statement.
   *
   * @throws {Error} unless there is exactly one row
   */
  async one<Row>(schema: RowSchema<Row>, statement: Sql): Promise<Row> {
    const row = await this.maybeOne(schema, statement);
    if (row === null) throw new Error(`expected one row, got none: ${statement.text}`);
    return row;
  }

  /** Runs a statement and returns the number of rows that it affected. */
  async execute(statement: Sql): Promise<number> {
    const { affected } = await this.#run(statement.text, statement.values);
    return affected ?? 0;
  }

  /** Runs `work` in one transaction, or in the one that the caller has already started. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.inTransaction) return work();
    const { transactions } = this.dataSource;
    const runner = this.dataSource.createOwnRunner();
    const current: CurrentTransaction = { runner, afterCommit: [] };
    const result = await runner.share(() =>
      inTransaction(current, () => transactions.run(current, work)),
    );
    for (const task of current.afterCommit) task();
    return result;
  }

  /** Runs `work` as a part of the current transaction that is rolled back alone when it fails. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const current = this.#current('a savepoint');
    const tasks = current.afterCommit.length;
    try {
      return await inTransaction(current, work);
    } catch (error) {
      current.afterCommit.length = tasks;
      throw error;
    }
  }

  /** Runs `task` after the current transaction has committed, and not if it is rolled back. */
  afterCommit(task: () => void): void {
    this.#current('afterCommit').afterCommit.push(task);
  }

  /** Runs `work` outside of the caller's transaction, if there is one. */
  outsideTransaction<T>(work: () => T): T {
    return this.dataSource.transactions.exit(work);
  }

  #current(what: string): CurrentTransaction {
    const transaction = this.dataSource.transactions.getStore();
    if (!transaction) throw new Error(`${what} needs a transaction`);
    return transaction;
  }

  async #run(text: string, values: unknown[]): Promise<QueryResult<unknown>> {
    const transaction = this.dataSource.transactions.getStore();
    const runner = transaction?.runner ?? new ContextQueryRunner(this.dataSource.driver);
    try {
      return await runner.query(text, values, true);
    } finally {
      if (!transaction) await runner.release();
    }
  }
}

/** Runs `work` in a transaction of the runner; in a savepoint if it is inside one already. */
async function inTransaction<T>(
  { runner }: CurrentTransaction,
  work: () => Promise<T>,
): Promise<T> {
  await runner.startTransaction();
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    // The first error says more than a failure to roll back on a connection that it has broken.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
