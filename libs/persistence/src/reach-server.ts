import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Milliseconds. */
const firstPause = 100;
const longestPause = 5_000;

/** A server's answers that will be others soon (PostgreSQL manual, Appendix A). */
const cannotConnectNow = '57P03';
const tooManyConnections = '53300';

const log = new Logger('persistence');

/**
 * Connects to PostgreSQL, and waits for it as long as it is not there or still starts: an app
 * starts before its database or after it.
 *
 * @throws what the server answers otherwise, such as that it does not know the user
 */
export async function reachServer(config: pg.ClientConfig): Promise<pg.Client> {
  for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
    const client = new pg.Client(config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      const absence = absenceOf(error);
      if (!absence) throw error;
      log.warn(`PostgreSQL cannot be reached (${absence}), trying again in ${wait} ms`);
      await pause(wait);
    }
  }
}

/** Why the server is not there yet: the code of the system or of the server, or null if it is. */
function absenceOf(error: unknown): string | null {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof pg.DatabaseError) {
    return code === cannotConnectNow || code === tooManyConnections ? code : null;
  }
  return code ?? (message.startsWith('Connection terminated') ? message : null);
}
