import type pg from 'pg';
import { type PgConnection, PgQuery } from './pg-query.ts';
import type { Session, SessionCommand } from './session.ts';

/** The most texts that a connection remembers, each of which may be prepared. */
const maxTexts = 50;

/** The longest text that is prepared: characters. */
const maxTextLength = 10_000;

/**
 * The statements that a connection has prepared. A text is prepared when it is used again, so that
 * texts that were made for one request do not burden the server. Those not used for longest are
 * closed.
 */
export class PreparedStatements {
  /** The names by text, in the order of their last use; null for a text that was used once. */
  readonly #names = new Map<string, string | null>();
  #lastName = 0;
  #closing: string[] = [];

  /** Returns the name under which a text is prepared, or is to be; undefined where it is not. */
  nameOf(text: string): string | undefined {
    if (text.length > maxTextLength) return undefined;
    const known = this.#names.get(text);
    const name = known === null ? `s${(this.#lastName += 1)}` : (known ?? null);
    this.#names.delete(text);
    this.#names.set(text, name);
    const [oldest] = this.#names.keys();
    if (oldest !== undefined && this.#names.size > maxTexts) this.forget(oldest);
    return name ?? undefined;
  }

  /** Closes the statement of a text, if there is one. */
  forget(text: string): void {
    const name = this.#names.get(text);
    if (name) this.#closing.push(name);
    this.#names.delete(text);
  }

  /** Tells PostgreSQL which statements are closed. */
  sendClosed(connection: PgConnection): void {
    for (const name of this.#closing) {
      connection.close({ type: 'S', name });
      delete connection.parsedStatements[name];
    }
    this.#closing = [];
  }
}

export interface StatementOptions {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly session: Session;
  /** Called when the connection is free: the commands before the statement depend on its state. */
  readonly takeBefore: () => SessionCommand[];
  /** The statement itself, if it is a command for the session. */
  readonly command?: SessionCommand;
  readonly prepared: PreparedStatements;
}

/**
 * A statement and the commands before it, in one write and one round trip. PostgreSQL skips the rest
 * once a part fails, so the statement never runs without them.
 *
 * A statement with values is prepared if it is outside of a transaction, where it can be repeated
 * after a migration has changed the columns of its result.
 */
export class Statement extends PgQuery {
  /** The commands before the statement that PostgreSQL has not completed. */
  #before: SessionCommand[] = [];
  #isSubmitting = false;
  #isPrepared = false;

  constructor(
    private readonly options: StatementOptions,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super({ text: options.text, values: [...options.values] }, callback);
  }

  override submit(connection: PgConnection): Error | null {
    const { session, prepared, values } = this.options;
    if (values.length > 0 && !session.isInTransaction) {
      this.name = prepared.nameOf(this.text);
      this.#isPrepared = this.hasBeenParsed(connection);
    }
    this.#before = this.options.takeBefore();
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
    const isUsable = this.#isPrepared && !isStale(error);
    if (this.name !== undefined && !isUsable) prepared.forget(this.text);
    super.handleError(error, connection);
  }
}

/** Whether a statement was prepared before a migration that changed the columns of its result. */
export const isStale = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};
