import type { PgConnection } from './pg-query.ts';

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
