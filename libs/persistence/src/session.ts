type Verb = 'START TRANSACTION' | 'SAVEPOINT' | 'RELEASE' | 'ROLLBACK TO' | 'ROLLBACK' | 'COMMIT';

/** A command for the transaction of a connection, as TypeORM writes it. */
export interface TransactionCommand {
  readonly verb: Verb;
  readonly text: string;
  /** The name of the savepoint; undefined for a transaction. */
  readonly savepoint: string | undefined;
}

/** A command for the statement timeout of a connection. */
interface TimeoutCommand {
  readonly verb: 'SET';
  readonly text: string;
  /** Milliseconds; 0 is none. */
  readonly timeout: number;
}

export type SessionCommand = TransactionCommand | TimeoutCommand;

const transactionCommand =
  /^(START TRANSACTION|COMMIT|ROLLBACK|(?:(RELEASE|ROLLBACK TO) )?SAVEPOINT (typeorm_\d+))$/;

/** Returns the command of a text; undefined for any other statement. */
export function toTransactionCommand(text: string): TransactionCommand | undefined {
  const [, whole, verb, savepoint] = transactionCommand.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { verb: (verb ?? (savepoint ? 'SAVEPOINT' : whole)) as Verb, text, savepoint };
}

/**
 * The transaction and the statement timeout of a connection, as they follow from the commands that
 * PostgreSQL has completed.
 *
 * The commands that start a transaction, and those that set or release a savepoint, wait for the
 * next statement and are sent with it. A transaction without statements is not sent at all.
 */
export class Session {
  #waiting: TransactionCommand[] = [];
  /** The statement timeout: milliseconds; 0 is none, NaN is unknown, as after a rollback. */
  #timeout = 0;
  #isStarted = false;
  /** Whether PostgreSQL rejects everything but a rollback. */
  #isFailed = false;

  /** Whether the next statement belongs to a transaction, which may wait to be started. */
  get isInTransaction(): boolean {
    return this.#isStarted || this.#waiting.length > 0;
  }

  /**
   * Whether a command need not be sent now, because it can wait or undoes what waits.
   *
   * @param isIdle whether no statement is under way, whose failure the command has to report
   */
  defer(command: TransactionCommand, isIdle: boolean): boolean {
    const { verb, savepoint } = command;
    if (verb === 'COMMIT' || verb === 'ROLLBACK') return this.#forget('START TRANSACTION');
    if (savepoint !== undefined && verb !== 'SAVEPOINT' && this.#forget('SAVEPOINT', savepoint)) {
      return true;
    }
    if (verb === 'ROLLBACK TO' || this.#isFailed || !isIdle) return false;
    this.#waiting.push(command);
    return true;
  }

  /**
   * Returns the command that sets the timeout of a statement, unless it is set.
   *
   * @param timeout milliseconds; 0 is none
   */
  timeoutCommand(timeout: number): TimeoutCommand | undefined {
    if (timeout === this.#timeout) return undefined;
    return { verb: 'SET', text: `SET statement_timeout = ${timeout}`, timeout };
  }

  /** Returns the commands that must precede a statement, which no longer wait then. */
  takeBeforeStatement(timeout: number): SessionCommand[] {
    const set = this.timeoutCommand(timeout);
    return [...this.#takeWaiting(), ...(set ? [set] : [])];
  }

  /** Returns the commands that must precede another one, which no longer wait then. */
  takeBeforeCommand({ verb }: TransactionCommand): SessionCommand[] {
    const waiting = this.#takeWaiting();
    // The others end the savepoints that wait to be set or released.
    return verb === 'SAVEPOINT' || verb === 'RELEASE' ? waiting : [];
  }

  /** Notes that PostgreSQL has completed a command. */
  complete(command: SessionCommand): void {
    switch (command.verb) {
      case 'SET':
        this.#timeout = command.timeout;
        return;
      case 'START TRANSACTION':
        this.#isStarted = true;
        return;
      case 'SAVEPOINT':
      case 'RELEASE':
        return;
      case 'ROLLBACK TO':
        this.#timeout = NaN;
        this.#isFailed = false;
        return;
      case 'COMMIT':
      case 'ROLLBACK':
        // PostgreSQL rolls a failed transaction back at its commit, and reports no error.
        if (this.#isFailed || command.verb === 'ROLLBACK') this.#timeout = NaN;
        this.#isStarted = this.#isFailed = false;
    }
  }

  /**
   * Notes that a statement has failed, which may have undone the SET before it.
   *
   * @param notCompleted the commands before it that PostgreSQL has not completed; they wait again
   */
  fail(notCompleted: readonly SessionCommand[]): void {
    this.#waiting.unshift(...notCompleted.filter((command) => command.verb !== 'SET'));
    this.#isFailed = this.#isStarted;
    this.#timeout = NaN;
  }

  #takeWaiting(): TransactionCommand[] {
    return this.#waiting.splice(0);
  }

  /** Removes a command that waits, and those after it. Returns whether it was there. */
  #forget(verb: Verb, savepoint?: string): boolean {
    const index = this.#waiting.findLastIndex(
      (waiting) => waiting.verb === verb && waiting.savepoint === savepoint,
    );
    if (index >= 0) this.#waiting.length = index;
    return index >= 0;
  }
}
