import { Failure } from '#libs/contracts';
import pg from 'pg';

/** PostgreSQL's error codes, whole or by their class (its manual, Appendix A). */
const queryCanceled = '57014';
const dataException = '22';
const limitExceeded = '54';
const outOfServer = /^(08|53|57P|58|XX)/;

const isOfDatabase = (error: unknown): error is pg.DatabaseError & { code: string } =>
  error instanceof pg.DatabaseError && error.code !== undefined;

/** What a query that was checked fails with: its parameters are at fault, or its time is over. */
export function runFault(error: unknown): unknown {
  if (!isOfDatabase(error)) return error;
  const { code, message } = error;
  if (code === queryCanceled) {
    return new Failure('expired', 'the query took too long', undefined, { cause: error });
  }
  if (code.startsWith(dataException) || code.startsWith(limitExceeded)) {
    return new Failure('invalid', `the query fails with these parameters: ${message}`);
  }
  return error;
}

/** What a query that is checked fails with: its text is at fault, unless the server is. */
export function checkFault(error: unknown): unknown {
  if (!isOfDatabase(error) || outOfServer.test(error.code)) return error;
  if (error.code === queryCanceled) return new Failure('invalid', 'the query takes too long');
  return new Failure('invalid', error.message);
}
