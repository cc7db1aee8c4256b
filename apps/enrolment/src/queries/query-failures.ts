import { Failure } from '@registrar/contracts';
import pg from 'pg';
import type { Placeholder, QueryText } from './query-text.ts';

/** PostgreSQL's error codes, whole or by class (its manual, Appendix A). */
const queryCanceled = '57014';
const dataException = '22';
const limitExceeded = '54';
/** Of the server's limits, a query can exceed that of temporary files only. */
const configurationLimitExceeded = '53400';
const serverError = /^(08|53|57P|58|XX)/;

const isDatabaseError = (error: unknown): error is pg.DatabaseError & { code: string } =>
  error instanceof pg.DatabaseError && error.code !== undefined;

const needsLargerFiles = ({ message }: pg.DatabaseError) =>
  new Failure('invalid', `the query needs larger temporary files than it may: ${message}`);

/**
 * Returns the failure for an error of a stored query that runs: `invalid` for its parameters
 * (contract/stored-queries#run-500), `expired` for a time-out. Other errors are returned unchanged.
 */
export function toRunFailure(error: unknown): unknown {
  if (!isDatabaseError(error)) return error;
  const { code, message } = error;
  if (code === queryCanceled) {
    return new Failure('expired', 'the query took too long', undefined, { cause: error });
  }
  if (code === configurationLimitExceeded) return needsLargerFiles(error);
  if (code.startsWith(dataException) || code.startsWith(limitExceeded)) {
    return new Failure('invalid', `the query fails with these parameters: ${message}`);
  }
  return error;
}

/**
 * Returns the failure for an error of a query that is checked: `invalid`, because its text is
 * wrong. Errors of the server are returned unchanged.
 */
export function toCheckFailure(error: unknown): unknown {
  if (!isDatabaseError(error)) return error;
  if (error.code === configurationLimitExceeded) return needsLargerFiles(error);
  if (serverError.test(error.code)) return error;
  if (error.code === queryCanceled) return new Failure('invalid', 'the query takes too long');
  return new Failure('invalid', error.message);
}

/**
 * Returns the failure for an error of a statement that has the text of a query after `before`: that of
 * {@link toCheckFailure}, at the place in the query that PostgreSQL names.
 */
export function toPlacedFailure(
  error: unknown,
  before: string,
  text: QueryText,
  placeholder: Placeholder,
): unknown {
  const failure = toCheckFailure(error);
  if (!(failure instanceof Failure) || !isDatabaseError(error) || !error.position) return failure;
  // PostgreSQL counts characters, and JavaScript the units of UTF-16.
  const characters = Array.from(before + text.render(placeholder));
  const { length } = characters.slice(0, Number(error.position) - 1).join('');
  return text.faultAt(placeholder, length - before.length, failure.message);
}
