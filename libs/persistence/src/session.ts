type Verb = 'START TRANSACTION' | 'SAVEPOINT' | 'RELEASE' | 'ROLLBACK TO' | 'ROLLBACK' | 'COMMIT';

/** A command for the transaction of a connection, as TypeORM writes it. */
export interface TransactionCommand {
  readonly verb: Verb;
  readonly text: string;
  /** The name of the savepoint; undefined for a transaction. */
  readonly savepoint: string | undefined;
}

const transactionCommand =
  /^(START TRANSACTION|COMMIT|ROLLBACK|(?:(RELEASE|ROLLBACK TO) )?SAVEPOINT (typeorm_\d+))$/;

/** Returns the command of a text; undefined for any other statement. */
export function toTransactionCommand(text: string): TransactionCommand | undefined {
  const [, whole, verb, savepoint] = transactionCommand.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { verb: (verb ?? (savepoint ? 'SAVEPOINT' : whole)) as Verb, text, savepoint };
}

/**
 * The transaction of a connection, as it follows from the commands that PostgreSQL has completed.
 *
 * The commands that start a transaction, and those that set or release a savepoint, wait for the
 * next statement and are sent with it. A transaction without statements is not sent at all.
 */
export class Session {
  #waiting: TransactionCommand[] = [];
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

  /** Returns the commands that must precede a statement or a command; they no longer wait then. */
  takeBefore(command?: TransactionCommand): TransactionCommand[] {
    const waiting = this.#waiting.splice(0);
    // The other commands end the savepoints that wait to be set or released.
    const isAfter = !command || command.verb === 'SAVEPOINT' || command.verb === 'RELEASE';
    return isAfter ? waiting : [];
  }

  /** Notes that PostgreSQL has completed a command. */
  complete({ verb }: TransactionCommand): void {
    if (verb === 'START TRANSACTION') this.#isStarted = true;
    if (verb === 'COMMIT' || verb === 'ROLLBACK') this.#isStarted = this.#isFailed = false;
    if (verb === 'ROLLBACK TO') this.#isFailed = false;
  }

  /**
   * Notes that a statement has failed.
   *
   * @param notCompleted the commands before it that PostgreSQL has not completed; they wait again
   */
  fail(notCompleted: readonly TransactionCommand[]): void {
    this.#waiting.unshift(...notCompleted);
    this.#isFailed = this.#isStarted;
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
