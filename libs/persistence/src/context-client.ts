import pg from 'pg';
import { Session, type TransactionCommand } from './session.ts';
import { isStale, PreparedStatements, Statement, type StatementOptions } from './statement.ts';

const none = () => [];

/** A connection of a context's pool. */
export class ContextClient extends pg.Client {
  readonly #session = new Session();
  readonly #prepared = new PreparedStatements();
  #running = 0;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // It can break while neither the pool nor a query runner listens, which would end the process.
    this.on('error', () => undefined);
  }

  /**
   * Runs a statement, in the session's transaction if there is one.
   *
   * @param timeout after which PostgreSQL cancels it: milliseconds; 0 is never
   */
  async run(text: string, values: readonly unknown[], timeout: number): Promise<pg.QueryResult> {
    if (values.length === 0 && !this.#session.isInTransaction) await this.#setTimeout(timeout);
    const takeBefore = () => this.#session.takeBeforeStatement(timeout);
    const submit = () => this.#submit({ text, values, takeBefore });
    try {
      return await submit();
    } catch (error) {
      if (isStale(error) && !this.#session.isInTransaction) return submit();
      throw error;
    }
  }

  /** Runs a command for the session's transaction, now or with the next statement. */
  async control(command: TransactionCommand): Promise<void> {
    if (this.#session.defer(command, this.#running === 0)) return;
    const takeBefore = () => this.#session.takeBeforeCommand(command);
    await this.#submit({ text: command.text, values: [], takeBefore, command });
  }

  /** By itself, because statements such as VACUUM are rejected when others are sent with them. */
  async #setTimeout(timeout: number): Promise<void> {
    const command = this.#session.timeoutCommand(timeout);
    if (command) await this.#submit({ text: command.text, values: [], takeBefore: none, command });
  }

  async #submit(options: Omit<StatementOptions, 'session' | 'prepared'>): Promise<pg.QueryResult> {
    this.#running += 1;
    try {
      return await new Promise((resolve, reject) => {
        const statement = new Statement(
          { ...options, session: this.#session, prepared: this.#prepared },
          (error, result) => (error ? reject(error) : resolve(result)),
        );
        this.query(statement as unknown as pg.Submittable);
      });
    } finally {
      this.#running -= 1;
    }
  }
}
