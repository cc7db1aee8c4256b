import { Failure } from '@registrar/contracts';
import { clock, remainingTimeMs } from '@registrar/platform';

const retryDelayMs = 500;

/**
 * Repeats a request after retriable failures until the deadline of the request context, because the
 * services of an installation start in any order.
 *
 * @throws {Failure} of the last attempt
 */
export async function retryWhileUnavailable<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const failure = Failure.from(error);
      if (!failure.retriable || remainingTimeMs() <= retryDelayMs) throw error;
      await clock.sleep(retryDelayMs);
    }
  }
}
