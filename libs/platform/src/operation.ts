import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What all work done for one request or event has in common, wherever it runs. */
export interface Operation {
  /** Names the request or event in every log line, in every process that works for it. */
  readonly requestId: string;
  /** When the work is worth nothing any more, in milliseconds since the epoch; null for never. */
  readonly deadline: number | null;
  /** The same for every repetition of a request that changes something. */
  readonly idempotencyKey?: string;
}

/** The id that a request's sender wishes for it, if that can stand in a log line; else a new one. */
export const requestIdFrom = (wished: unknown): string =>
  typeof wished === 'string' && /^[\w.-]{1,64}$/.test(wished) ? wished : randomUUID();

const operations = new AsyncLocalStorage<Operation>();

/** Runs `work`, and all that it awaits, as part of `operation`. */
export function runOperation<T>(operation: Operation, work: () => T): T {
  return operations.run(operation, work);
}

/** The operation that the current code works for, if any. */
export function currentOperation(): Operation | undefined {
  return operations.getStore();
}

/** Milliseconds until the current operation's deadline, never negative; Infinity without one. */
export function remainingTime(now = Date.now()): number {
  const deadline = currentOperation()?.deadline;
  return deadline == null ? Infinity : Math.max(0, deadline - now);
}
