import { Failure } from '@registrar/contracts';
import { currentRequestContext, remainingTimeMs, runWithin } from '@registrar/platform';
import { QueryFailedError } from 'typeorm';
import {
  ContextDataSource,
  type ContextSchema,
  dataSourceOptions,
} from '../context-data-source.ts';
import { Database } from '../database.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';

/**
 * Why a standby was not read: it does not respond or refuses the connection; it is no standby of the primary;
 * its data are too old; its replay cancelled a statement.
 */
export const standbyFaults = ['unavailable', 'mismatch', 'behind', 'conflict'] as const;
export type StandbyFault = (typeof standbyFaults)[number];

/** A standby cannot be read. */
export class StandbyUnusable extends Error {
  constructor(
    readonly fault: StandbyFault,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** Converts an error of a read that the standby has caused; returns null for any other error. */
  static fromError(error: unknown): StandbyUnusable | null {
    if (error instanceof StandbyUnusable) return error;
    const { code, message } = (
      error instanceof QueryFailedError ? error.driverError : error
    ) as Error & { code?: unknown };
    if (code === serializationFailure) return new StandbyUnusable('conflict', message, error);
    const isUnavailable =
      error instanceof DatabaseUnavailable ||
      DatabaseUnavailable.fromError(error) !== null ||
      (typeof code === 'string' && refusals.test(code));
    return isUnavailable ? new StandbyUnusable('unavailable', message, error) : null;
  }
}

/** A conflict with recovery; no other statement of a report has it (PostgreSQL manual, Hot Standby). */
const serializationFailure = '40001';
/** Of a role, password or database (PostgreSQL manual, Appendix A). */
const refusals = /^(28|3D)/;

const connectTimeoutMs = 3_000;
/** The time limit of statements about the standby itself: milliseconds. */
const responseTimeoutMs = 2_000;

/** A statement that this process does not cancel, because it hangs, ends too. */
const sessionSettings = { default_transaction_read_only: 'on', statement_timeout: "'30s'" };

/** A context's schema on a standby that PostgreSQL replicates to. It is connected to by the first use. */
export class Standby {
  #database: Promise<Database> | null = null;

  constructor(
    private readonly schema: ContextSchema,
    private readonly url: string,
  ) {}

  /** @throws {StandbyUnusable} when no connection can be made */
  async database(): Promise<Database> {
    this.#database ??= this.#open();
    try {
      return await this.#database;
    } catch (error) {
      this.#database = null;
      throw new StandbyUnusable('unavailable', (error as Error).message, error);
    }
  }

  async close(): Promise<void> {
    const database = await this.#database?.catch(() => null);
    await database?.dataSource.destroy();
  }

  async #open(): Promise<Database> {
    const options = dataSourceOptions(this.schema, this.url, sessionSettings);
    const extra = { ...(options.extra as object), connectionTimeoutMillis: connectTimeoutMs };
    const dataSource = new ContextDataSource({ ...options, extra });
    await dataSource.initialize();
    return new Database(dataSource);
  }
}

/**
 * Runs a statement that a standby completes at once, so that one which hangs does not hold up a report until
 * its deadline.
 *
 * @throws {StandbyUnusable} `unavailable` when the standby does not respond
 */
export async function withinResponseTime<T>(work: () => Promise<T>): Promise<T> {
  const timeoutMs = Math.min(responseTimeoutMs, remainingTimeMs());
  try {
    return await runWithin(timeoutMs, work, currentRequestContext()?.requestId);
  } catch (error) {
    const isExpired = error instanceof Failure && error.code === 'expired';
    if (!isExpired || remainingTimeMs() === 0) throw error;
    throw new StandbyUnusable('unavailable', 'it does not respond', error);
  }
}
