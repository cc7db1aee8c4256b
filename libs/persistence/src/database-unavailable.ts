import { Failure } from '@registrar/contracts';

/**
 * Node's network errors, and PostgreSQL's error classes 08 and 57P and codes 53300 and 25P03, which closes the
 * connection of an idle transaction (PostgreSQL manual, Appendix A). The statement does not cause them.
 */
const connectionErrorCodes =
  /^(ECONN|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN)|ETIMEDOUT|EPIPE|EAI_|ENOTFOUND|08|57P|53300|25P03)/;

/**
 * pg's errors without a code: a connection that is broken or closed, a connection timeout, and a new connection that a
 * pooler keeps waiting.
 */
const connectionErrorMessages =
  /^(Connection terminated|Client was closed|timeout exceeded when trying to connect|Query read timeout)/;

/** The database cannot be reached. The caller may retry. */
export class DatabaseUnavailable extends Failure {
  private constructor(cause: Error) {
    super('unavailable', `the database is unavailable: ${cause.message}`, undefined, { cause });
  }

  /** Converts a connection error; returns null for any other error. */
  static fromError(error: unknown): DatabaseUnavailable | null {
    if (!(error instanceof Error) || error instanceof Failure) return null;
    const { code } = error as { code?: unknown };
    const isConnectionError =
      typeof code === 'string'
        ? connectionErrorCodes.test(code)
        : connectionErrorMessages.test(error.message);
    return isConnectionError ? new DatabaseUnavailable(error) : null;
  }
}
