import { Logger } from '@nestjs/common';
import { clock, exponentialDelay, isProgrammingError } from '@registrar/platform';
import pg from 'pg';

const delayMsRange = { first: 100, longest: 5_000 };

/** Transient errors of the server (PostgreSQL manual, Appendix A). */
const cannotConnectNow = '57P03';
const tooManyConnections = '53300';

const log = new Logger('persistence');

/**
 * Connects to PostgreSQL. Retries without end while the server is unreachable or starting, because
 * an app may start before its database.
 *
 * @throws {pg.DatabaseError} any other error of the server, such as an unknown user
 * @throws a programming error, such as a port that is none
 */
export async function connectWithRetry(config: pg.ClientConfig): Promise<pg.Client> {
  for (let failures = 1; ; failures += 1) {
    const client = new pg.Client(config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      const reason = transientReason(error);
      if (!reason) throw error;
      const delayMs = exponentialDelay(failures, delayMsRange);
      log.warn(`PostgreSQL is unreachable (${reason}), retrying in ${delayMs} ms`);
      await clock.sleep(delayMs);
    }
  }
}

/** The code of a transient error, from the system or the server; null for any other error. */
function transientReason(error: unknown): string | null {
  if (isProgrammingError(error)) return null;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof pg.DatabaseError) {
    return code === cannotConnectNow || code === tooManyConnections ? code : null;
  }
  return code ?? (message.startsWith('Connection terminated') ? message : null);
}
