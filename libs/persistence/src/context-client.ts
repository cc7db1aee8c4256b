import { clock } from '@registrar/platform';
import pg from 'pg';
import { parse } from 'postgres-array';
import { requestCancel } from './cancel-request.ts';
import { Session, type TransactionCommand } from './session.ts';
import { isStale, PreparedStatements, Statement } from './statement.ts';

/** How long after the time for a statement or a command an unresponsive server is disconnected. */
const unresponsiveGraceMs = 1_000;

const int8Array = 1016;

function toNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the safe integers`);
  return value;
}

/** pg's types, with `bigint` as a number. Values beyond 2^53 make the query fail. */
const typesWithNumericInt8 = new pg.TypeOverrides();
typesWithNumericInt8.setTypeParser(pg.types.builtins.INT8, toNumber);
typesWithNumericInt8.setTypeParser(int8Array, (text) => parse(text, toNumber));

/** A connection of a context's pool. */
export class ContextClient extends pg.Client {
  readonly #session = new Session();
  readonly #prepared = new PreparedStatements();
  #running = 0;
  #isCancelled = false;

  constructor(config?: pg.ClientConfig) {
    super({ ...config, types: typesWithNumericInt8 });
    // It can break while neither the pool nor a query runner listens, which would end the process.
    this.on('error', () => undefined);
  }

  /**
   * Runs a statement, in the session's transaction if there is one.
   *
   * @param timeMs after which PostgreSQL is asked to cancel it
   */
  async run(text: string, values: readonly unknown[], timeMs = Infinity): Promise<pg.QueryResult> {
    const submit = () => this.#submit(text, values);
    try {
      return await withTimeout(timeMs, () => this.#cancel(), submit);
    } catch (error) {
      if (isStale(error) && !this.#session.isInTransaction) return await submit();
      throw error;
    } finally {
      // A request to cancel that is late would cancel the next statement.
      if (this.#isCancelled) void this.end();
    }
  }

  /** Runs a command for the session's transaction, now or with the next statement. */
  async control(command: TransactionCommand, timeMs = Infinity): Promise<void> {
    if (this.#session.defer(command, this.#running === 0)) return;
    const disconnect = () => void this.end();
    const submit = () => this.#submit(command.text, [], command);
    await withTimeout(timeMs + unresponsiveGraceMs, disconnect, submit);
  }

  #cancel(): void {
    this.#isCancelled = true;
    const giveUp = requestCancel(this);
    const disconnect = () => {
      giveUp();
      void this.end();
    };
    this.once('end', clock.schedule(unresponsiveGraceMs, disconnect));
  }

  async #submit(
    text: string,
    values: readonly unknown[],
    command?: TransactionCommand,
  ): Promise<pg.QueryResult> {
    this.#running += 1;
    try {
      return await new Promise((resolve, reject) => {
        const statement = new Statement(
          { text, values, command, session: this.#session, prepared: this.#prepared },
          (error, result) => (error ? reject(error) : resolve(result)),
        );
        this.query(statement as unknown as pg.Submittable);
      });
    } finally {
      this.#running -= 1;
    }
  }
}

/** Runs `work`, and `task` if `work` takes longer. */
async function withTimeout<T>(ms: number, task: () => void, work: () => Promise<T>): Promise<T> {
  if (!Number.isFinite(ms)) return work();
  const cancel = clock.schedule(ms, task);
  try {
    return await work();
  } finally {
    cancel();
  }
}
