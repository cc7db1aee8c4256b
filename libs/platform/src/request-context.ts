import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Failure } from '@registrar/contracts';
import { clock } from './clock.ts';

/**
 * The use of a client's idempotency key: hashes of the key, with the client's credentials and the operation, and of the
 * parameters.
 */
export interface KeyUse {
  readonly key: string;
  readonly parameters: string;
}

/** The context of a request or event. It is passed on to every process that works for it. */
export interface RequestContext {
  /** Identifies the request or event in the log lines of all processes. */
  readonly requestId: string;
  /** The time after which the result is of no use: milliseconds since the epoch; null for none. */
  readonly deadline: number | null;
  /** Equal for all repetitions of a request. Absent for requests that change nothing. */
  readonly idempotencyKey?: string;
  /** Whether no client knows the key: the request is repeated only when the broker delivers it again. */
  readonly isPrivateKey?: boolean;
  /** Sent with each request to a context that changes something. Absent without a key of the client. */
  readonly keyUse?: KeyUse;
  /** Called when a request to a context gets the outcome of an earlier one under the same key. */
  readonly onReplay?: () => void;
  /** What concerns the request that a handler of a context handles, and not the requests that it sends. */
  readonly handled?: {
    readonly keyUse: KeyUse | undefined;
    /** Set by whoever returns the outcome of an earlier request. */
    isReplay: boolean;
  };
  /** The address of the client whose request this is. Absent for work that no client asked for. */
  readonly clientAddress?: string;
  /** The name of the console's user whose request this is. Absent for other requests. */
  readonly consoleUser?: string;
}

/** Returns the request id that a client proposes if it is safe to log; otherwise a new one. */
export const requestIdFrom = (proposed: unknown): string =>
  typeof proposed === 'string' && /^[\w.-]{1,64}$/.test(proposed) ? proposed : randomUUID();

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work`, and everything that it awaits, in a request context. */
export function runInRequestContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Runs `work` in a request context of its own, whose deadline is after so many milliseconds. */
export const runWithin = <T>(
  timeoutMs: number,
  work: () => T,
  requestId: string = randomUUID(),
): T => runInRequestContext({ requestId, deadline: clock.now() + timeoutMs }, work);

/** Returns the request context of the current code; undefined outside of one. */
export function currentRequestContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Returns the milliseconds until the current deadline, at least 0; Infinity without a deadline. */
export function remainingTimeMs(now = clock.now()): number {
  const deadline = currentRequestContext()?.deadline;
  return deadline == null ? Infinity : Math.max(0, deadline - now);
}

/** The outcome of `work`, or the failure `expired` at the deadline, whichever comes first. */
export async function withDeadline<T>(
  work: Promise<T>,
  deadline: number,
  what: string,
): Promise<T> {
  let cancel: (() => void) | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new Failure('expired', `${what} was not done in time`));
    cancel = clock.schedule(deadline - clock.now(), expire);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    cancel?.();
  }
}
