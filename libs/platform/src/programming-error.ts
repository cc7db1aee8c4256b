import { types } from 'node:util';
import { Failure } from '@registrar/contracts';
import type { Logger } from './logging.ts';

const programmingErrors: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'SyntaxError',
  'RangeError',
  'AssertionError',
]);

/** Messages of the `TypeError`s by which `fetch` reports a network's failure. */
const networkFailure = /^(fetch failed|terminated)$/;

/**
 * Whether an error, or the one that a failure was made from, shows a defect of the program, which no
 * repetition can heal. By name, because the errors of another realm are instances of other classes.
 */
export function isProgrammingError(error: unknown): error is Error {
  const thrown = error instanceof Failure && error.code === 'internal' ? error.cause : error;
  return (
    types.isNativeError(thrown) &&
    programmingErrors.has(thrown.name) &&
    !networkFailure.test(thrown.message)
  );
}

/**
 * Logs the failure of work that will be repeated: at level `warn`, or with its stack at level `error` if a
 * defect caused it, so that nobody takes it for an outage. Its `reason` is the error's message if `fields` have none.
 */
export function logFailedWork(
  log: Logger,
  error: unknown,
  fields: Readonly<Record<string, unknown>>,
  message: string,
): void {
  const line = { reason: Failure.from(error).message, ...fields };
  if (isProgrammingError(error)) log.error({ ...line, err: error }, message);
  else log.warn(line, message);
}
