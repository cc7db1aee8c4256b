import { clock } from './clock.ts';

/**
 * Waits for work, for a limited time. The work goes on when the time is over.
 *
 * @param ms the longest wait: milliseconds
 * @returns whether the work has ended
 * @throws the error of work that fails in time
 */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const ended = new AbortController();
  const timeout = clock.sleep(ms, ended.signal).then(() => false);
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    ended.abort();
  }
}
