import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns the address of the embedded PostgreSQL of a standalone system that runs, with its password.
 *
 * @param dataDirectory `DATA_DIR` of the system
 */
export async function embeddedPostgresUrl(dataDirectory: string): Promise<string> {
  const read = (file: string) => readFile(join(dataDirectory, 'postgres', file), 'utf8');
  const password = (await read('password')).trim();
  // The fourth line is the port (PostgreSQL manual, Database File Layout).
  const port = (await read('data/postmaster.pid')).split('\n')[3] ?? '';
  return `postgres://registrar:${password}@127.0.0.1:${port}/registrar`;
}
