import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface EventuallyOptions {
  /** Milliseconds until the wait fails; 120 000 by default, less than the time-out of a test. */
  readonly timeoutMs?: number;
  /** Milliseconds between two reads; 20 by default. */
  readonly intervalMs?: number;
}

/**
 * Polls until a read returns a truthy value, and returns that value. A read that throws counts as
 * "not yet", so it may contain Vitest's expectations.
 *
 * ```ts
 * await eventually('the queue is empty', async () => (await queue()).messageCount === 0);
 * ```
 *
 * @param awaited the awaited condition as a clause; part of the failure's message
 * @throws when the time-out passes: the message names the condition and the last value or error
 */
export async function eventually<Value>(
  awaited: string,
  read: () => Value | Promise<Value>,
  { timeoutMs = 120_000, intervalMs = 20 }: EventuallyOptions = {},
): Promise<NonNullable<Exclude<Value, false | '' | 0>>> {
  let last = 'the first read did not return';
  let cause: unknown;
  const timeout = AbortSignal.timeout(timeoutMs);
  const poll = async () => {
    for (; !timeout.aborted; await pause(intervalMs)) {
      try {
        const value = await read();
        if (value) return value as NonNullable<Exclude<Value, false | '' | 0>>;
        last = `last value: ${inspect(value, { breakLength: Infinity })}`;
        cause = undefined;
      } catch (error) {
        last = `last error: ${error instanceof Error ? error.message : inspect(error)}`;
        cause = error;
      }
    }
    return undefined;
  };
  const timedOut = new Promise<undefined>((resolve) => {
    timeout.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const value = await Promise.race([poll(), timedOut]);
  if (value !== undefined) return value;
  throw new Error(`timed out after ${timeoutMs} ms waiting until ${awaited}; ${last}`, { cause });
}
