import type { Socket } from 'node:net';
import { listenBefore, type PostgresMessage, PostgresMessages } from '@registrar/testing';

/** A transaction that PostgreSQL has ended; a statement outside of one is one of its own. */
export interface LoggedTransaction {
  /** The app whose connection it is. */
  readonly app: string;
  /** The texts of its statements, without the commands that configure the connection, and start and end transactions. */
  readonly statements: readonly string[];
}

/** A proxy of PostgreSQL that notes the statements of every connection. */
export interface StatementLog {
  /** The address of the database, through the proxy. */
  readonly url: string;
  /** What has ended so far, in the order of the ends. */
  readonly transactions: readonly LoggedTransaction[];
  /** Whether no statement is under way and no transaction is open. */
  readonly isIdle: boolean;
  close(): Promise<void>;
}

/** The ends of CommandComplete messages that belong to the connection or the transaction, and not to its work. */
const controlTags = /^(SET|START TRANSACTION|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/** Starts a statement log in front of the database at `target`. */
export async function startStatementLog(target: string): Promise<StatementLog> {
  const transactions: LoggedTransaction[] = [];
  const sessions = new Map<Socket, LoggedSession>();
  const { url, close } = await listenBefore(target, (client, upstream) => {
    const session = new LoggedSession((ended) => transactions.push(ended));
    sessions.set(client, session);
    client.on('close', () => sessions.delete(client));
    client.on('data', (chunk: Buffer) => {
      session.sent(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      session.received(chunk);
      client.write(chunk);
    });
  });
  return {
    url,
    transactions,
    get isIdle() {
      return [...sessions.values()].every((session) => session.isIdle);
    },
    close,
  };
}

/** What a connection does, by its messages (manual of PostgreSQL, 54.7). */
class LoggedSession {
  readonly #client = new PostgresMessages('client');
  readonly #server = new PostgresMessages('server');
  readonly #prepared = new Map<string, string>();
  #app = '';
  /** The text of the statement that the next Execute message executes. */
  #bound = '';
  /** The texts of the statements that the server has not completed. */
  readonly #expected: string[] = [];
  #statements: string[] = [];
  /** How many times the server has yet to become ready. */
  #pending = 0;
  #isOpen = false;

  constructor(private readonly onEnd: (transaction: LoggedTransaction) => void) {}

  get isIdle(): boolean {
    return this.#pending === 0 && !this.#isOpen;
  }

  sent(chunk: Buffer): void {
    for (const message of this.#client.read(chunk)) this.#noteSent(message);
  }

  received(chunk: Buffer): void {
    for (const message of this.#server.read(chunk)) this.#noteReceived(message);
  }

  #noteSent({ type, bytes }: PostgresMessage): void {
    const [first = '', second = ''] = textsOf(bytes.subarray(5));
    switch (type) {
      case '': // StartupMessage: its length, a version, names and values
        this.#app = /application_name\0registrar (\w+)\0/.exec(bytes.toString())?.[1] ?? 'other';
        this.#pending += 1;
        return;
      case 'P': // Parse
        this.#prepared.set(first, second);
        return;
      case 'B': // Bind, of an unnamed portal
        this.#bound = this.#prepared.get(second) ?? '';
        return;
      case 'E': // Execute
        this.#expected.push(this.#bound);
        return;
      case 'Q': // Query, of one statement or several
        this.#expected.push(...first.split('; '));
        this.#pending += 1;
        return;
      case 'S': // Sync
        this.#pending += 1;
    }
  }

  #noteReceived({ type, bytes }: PostgresMessage): void {
    switch (type) {
      case 'C': // CommandComplete
      case 's': // PortalSuspended
        this.#complete(bytes.subarray(5).toString());
        return;
      case 'Z': // ReadyForQuery, with the state of the transaction
        this.#pending -= 1;
        this.#isOpen = bytes[5] !== 'I'.charCodeAt(0);
        if (this.#pending === 0) this.#expected.length = 0;
        if (!this.#isOpen) this.#end();
    }
  }

  #complete(tag: string): void {
    const text = this.#expected.shift() ?? '';
    if (!controlTags.test(tag)) this.#statements.push(text.replaceAll(/\s+/g, ' ').trim());
  }

  #end(): void {
    if (this.#statements.length > 0) this.onEnd({ app: this.#app, statements: this.#statements });
    this.#statements = [];
  }
}

/** The texts that end in a zero byte, at the beginning of a message. */
const textsOf = (bytes: Buffer): string[] => bytes.toString().split('\0');
