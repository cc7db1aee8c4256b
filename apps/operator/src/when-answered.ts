import { Failure } from '#libs/contracts';
import { remainingTime } from '#libs/platform';
import { setTimeout as pause } from 'node:timers/promises';

/** Between two attempts: milliseconds. */
const attemptPause = 500;

/**
 * Asks again while nobody answers, until the operation's deadline: the services of an installation
 * start in any order.
 *
 * @throws {Failure} what the last attempt ended with
 */
export async function whenAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const failure = Failure.from(error);
      if (!failure.retriable || remainingTime() <= attemptPause) throw error;
      await pause(attemptPause);
    }
  }
}
