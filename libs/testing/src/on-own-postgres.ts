import { startEmbeddedPostgres } from '#libs/persistence';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testServerVariable } from './databases.ts';

/**
 * Lets a program that is no suite, such as a benchmark, work on a PostgreSQL of its own, where the
 * databases that it asks for are made too; afterwards, or when it is told to end, nothing of it is left.
 *
 * @param run gets the server's URL
 * @param flags of the server, besides those of the embedded PostgreSQL
 */
export async function onOwnPostgres(
  run: (databaseUrl: string) => Promise<void>,
  flags: readonly string[] = [],
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-own-'));
  // As root, the database runs as another user and must get to its data.
  await chmod(directory, 0o711);
  const postgres = await startEmbeddedPostgres(directory, flags);
  process.env[testServerVariable] = postgres.url;
  const end = async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
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
