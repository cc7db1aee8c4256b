import { Failure } from '#libs/contracts';

/**
 * Node's network errors, and PostgreSQL's error classes 08 and 57P and code 53300 (PostgreSQL
 * manual, Appendix A): none of them is the statement's fault.
 */
const codes =
  /^(ECONN|EHOST(UNREACH|DOWN)|ENET(UNREACH|DOWN)|ETIMEDOUT|EPIPE|EAI_|ENOTFOUND|08|57P|53300)/;

/** What pg says without a code, of a broken connection and of one that could not be made in time. */
const words = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** The database is away as a whole: whatever was asked of it may be asked again. */
export class DatabaseAway extends Failure {
  private constructor(cause: Error) {
    super('unavailable', `the database is away: ${cause.message}`, undefined, { cause });
  }

  /** The absence that an error tells of; null when it tells of something else. */
  static behind(error: unknown): DatabaseAway | null {
    if (!(error instanceof Error) || error instanceof Failure) return null;
    const { code } = error as { code?: unknown };
    const isAway = typeof code === 'string' ? codes.test(code) : words.test(error.message);
    return isAway ? new DatabaseAway(error) : null;
  }
}
