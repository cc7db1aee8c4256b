import type pg from 'pg';
import { SettingsError } from '@registrar/platform';

/** How a client is connected: to a server process of its own, to one through a pooler, or to a new one for each transaction. */
export type Pooling = 'none' | 'session' | 'transaction';

/** Why poolers that keep no server process for a connection are refused, and what to do. */
export const transactionPooling = {
  fault:
    'a connection pooler changes the server process of a connection between two transactions, so that prepared ' +
    'statements, settings and locks of the connection get lost',
  remedy:
    'set pool_mode = session in PgBouncer (poolMode: session of a Pooler), or connect to PostgreSQL directly',
} as const;

/**
 * Determines how a client is connected. A client whose process has another number than PostgreSQL told it at the
 * start is behind a pooler. Such a pooler keeps a server process for each of two connections if both have
 * the same one whenever they ask, and not the same one.
 *
 * @param client of which no transaction is open
 * @param connect opens another connection to the same address
 */
export async function detectPooling(
  client: pg.ClientBase,
  connect: () => Promise<pg.Client>,
): Promise<Pooling> {
  const first = await backendOf(client);
  if (first === (client as unknown as { processID: number }).processID) return 'none';
  const other = await connect();
  try {
    const second = await backendOf(other);
    // Twice in a row, for a pooler that hands out its connections in turn.
    const later = [await backendOf(client), await backendOf(client), await backendOf(other)];
    const isKept = later.join() === [first, first, second].join() && first !== second;
    return isKept ? 'session' : 'transaction';
  } finally {
    await other.end();
  }
}

/** @throws {SettingsError} when a pooler changes the server process of a connection */
export async function requireOwnBackend(
  client: pg.ClientBase,
  connect: () => Promise<pg.Client>,
): Promise<void> {
  if ((await detectPooling(client, connect)) !== 'transaction') return;
  const { fault, remedy } = transactionPooling;
  throw new SettingsError(`DATABASE_URL: ${fault}. To do: ${remedy}`);
}

async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}
