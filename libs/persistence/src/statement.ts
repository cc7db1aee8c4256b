import { clock } from '@registrar/platform';
import type pg from 'pg';
import { type PgConnection, PgQuery } from './pg-query.ts';
import type { Session, TransactionCommand } from './session.ts';
import { customPlanMark } from './sql.ts';

/** The most texts that a connection remembers, each of which may be prepared. */
const maxTexts = 100;

/** The longest text that is prepared: characters. */
const maxTextLength = 10_000;

/**
 * How long a statement is used before it is prepared anew: milliseconds. The plan that PostgreSQL keeps
 * for it suits the sizes that tables had when it was made, and one for a small table may scan it. Each
 * time, a statement is used for twice as long, because what a table grows by matters less and less.
 */
const lifetimeMs = { first: 5_000, longest: 80_000 };

interface PreparedStatement {
  readonly name: string;
  readonly since: number;
  readonly lifetimeMs: number;
}

/**
 * The statements that a connection has prepared. A text is prepared when it is used again, so that
 * texts that were made for one request do not burden the server. Those not used for longest are
 * closed.
 */
export class PreparedStatements {
  /** By text, in the order of their last use; null for a text that was used once. */
  readonly #statements = new Map<string, PreparedStatement | null>();
  #lastName = 0;
  #closing: string[] = [];

  /** Returns the name under which a text is prepared, or is to be; undefined where it is not. */
  nameOf(text: string): string | undefined {
    if (text.length > maxTextLength || text.includes(customPlanMark)) return undefined;
    const known = this.#statements.get(text);
    const now = clock.monotonic();
    const isUsable = known && now - known.since < known.lifetimeMs;
    const isNew = known === undefined;
    if (!isUsable) this.forget(text);
    this.#statements.delete(text);
    const statement = isUsable ? known : isNew ? null : this.#prepare(now, known);
    this.#statements.set(text, statement);
    const [oldest] = this.#statements.keys();
    if (oldest !== undefined && this.#statements.size > maxTexts) this.forget(oldest);
    return statement?.name;
  }

  /** Closes the statement of a text, if there is one. */
  forget(text: string): void {
    const statement = this.#statements.get(text);
    if (statement) this.#closing.push(statement.name);
    this.#statements.delete(text);
  }

  forgetAll(): void {
    for (const text of this.#statements.keys()) this.forget(text);
  }

  /** Tells PostgreSQL which statements are closed. */
  sendClosed(connection: PgConnection): void {
    for (const name of this.#closing) {
      connection.close({ type: 'S', name });
      delete connection.parsedStatements[name];
    }
    this.#closing = [];
  }

  #prepare(since: number, earlier: PreparedStatement | null): PreparedStatement {
    const lifetime = earlier ? earlier.lifetimeMs * 2 : lifetimeMs.first;
    return {
      name: `s${(this.#lastName += 1)}`,
      since,
      lifetimeMs: Math.min(lifetime, lifetimeMs.longest),
    };
  }
}

export interface StatementOptions {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The statement itself, if it is a command for the session. */
  readonly command: TransactionCommand | undefined;
  readonly session: Session;
  readonly prepared: PreparedStatements;
}

/**
 * A statement and the commands before it, in one write and one round trip. PostgreSQL skips the rest
 * once a part fails, so the statement never runs without them.
 */
export class Statement extends PgQuery {
  /** The commands before the statement that PostgreSQL has not completed. */
  #before: TransactionCommand[] = [];
  #isSubmitting = false;
  #isPrepared = false;

  constructor(
    private readonly options: StatementOptions,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ text: options.text, values: [...options.values] }, callback);
  }

  override submit(connection: PgConnection): Error | null {
    const { session, prepared, values, command } = this.options;
    if (values.length > 0) {
      this.name = prepared.nameOf(this.text);
      this.#isPrepared = this.hasBeenParsed(connection);
    }
    // The connection is free now: these depend on what it has completed.
    this.#before = session.takeBefore(command);
    this.#isSubmitting = true;
    connection.stream.cork();
    try {
      if (!this.requiresPreparation()) {
        connection.query([...this.#before.map(({ text }) => text), this.text].join('; '));
        return null;
      }
      prepared.sendClosed(connection);
      for (const { text } of this.#before) {
        connection.parse({ text });
        connection.bind({});
        connection.execute();
      }
      return super.submit(connection);
    } finally {
      this.#isSubmitting = false;
      connection.stream.uncork();
    }
  }

  override handleCommandComplete(message: object, connection: PgConnection): void {
    const { session, command } = this.options;
    const completed = this.#before.shift();
    if (completed) {
      session.complete(completed);
      return;
    }
    if (command) session.complete(command);
    super.handleCommandComplete(message, connection);
  }

  override handleError(error: Error, connection: PgConnection): void {
    const { session, prepared } = this.options;
    // A value that cannot be sent fails the statement alone: the commands before it are executed.
    if (!this.#isSubmitting) session.fail(this.#before);
    if (isStale(error)) prepared.forgetAll();
    else if (this.name !== undefined && !this.#isPrepared) prepared.forget(this.text);
    super.handleError(error, connection);
  }
}

/** Whether a statement was prepared before a migration that changed the columns of its result. */
export const isStale = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};
