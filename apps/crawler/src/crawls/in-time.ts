import { currentOperation, runOperation } from '#libs/platform';
import { randomUUID } from 'node:crypto';

/** How long it may take to claim work, and to note that it failed: milliseconds. */
export const bookTime = 10_000;

/** Runs work that nobody asked for as an operation, or as a part of one, that ends after `time` milliseconds. */
export const inTime = <T>(time: number, work: () => Promise<T>): Promise<T> => {
  const requestId = currentOperation()?.requestId ?? randomUUID();
  return runOperation({ requestId, deadline: Date.now() + time }, work);
};
