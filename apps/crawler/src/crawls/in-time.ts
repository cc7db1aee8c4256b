import { runOperation } from '#libs/platform';
import { randomUUID } from 'node:crypto';

/** How long it may take to claim work, and to note that it failed: milliseconds. */
export const bookTime = 10_000;

/** Runs work that nobody asked for as an operation that ends after `time` milliseconds. */
export const inTime = <T>(time: number, work: () => Promise<T>): Promise<T> =>
  runOperation({ requestId: randomUUID(), deadline: Date.now() + time }, work);
