import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPostgresVariable } from '@registrar/testing';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { removePostgresFiles } from '../postgres-files.ts';

/**
 * Runs a program other than a suite, such as a benchmark, with its own PostgreSQL server, in which
 * `createTestDatabase` creates databases too. Stops the server and removes its files at the end and
 * on SIGINT and SIGTERM.
 *
 * @param run gets the server's URL
 * @param flags more `-c name=value` settings for the server
 */
export async function withTemporaryPostgres(
  run: (databaseUrl: string) => Promise<void>,
  flags: readonly string[] = [],
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-own-'));
  const postgres = await startEmbeddedPostgres(directory, flags);
  process.env[testPostgresVariable] = postgres.url;
  const end = async () => {
    await postgres.stop();
    await removePostgresFiles(directory);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void end().finally(() => process.exit(130)));
  }
  try {
    await run(postgres.url);
  } finally {
    await end();
  }
}
