import { setTimeout as pause } from 'node:timers/promises';
import type { Observed } from './bystander.ts';

/**
 * Sends requests at a constant rate, whether earlier ones have been answered or not (an open loop).
 *
 * @param send gets the milliseconds from the beginning at which its request was due
 * @returns what was seen, when all have been answered
 */
export async function sendAtRate(
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
  send: (atMs: number) => Promise<Observed>,
): Promise<readonly Observed[]> {
  const answers: Promise<Observed>[] = [];
  const begun = performance.now();
  for (let sent = 0; sent < seconds * perSecond; sent += 1) {
    const atMs = (sent * 1_000) / perSecond;
    const dueIn = begun + atMs - performance.now();
    if (dueIn > 0) await pause(dueIn);
    answers.push(send(atMs));
  }
  return Promise.all(answers);
}
