import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { removePostgresFiles } from '../postgres-files.ts';

/** Starts the PostgreSQL server of a test run, which `jest-global-teardown.ts` stops. */
export default async function startTestServer(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-test-'));
  const server = await startEmbeddedPostgres(directory, [
    ...['-c', 'fsync=off'],
    ...['-c', 'synchronous_commit=off'],
    ...['-c', 'full_page_writes=off'],
    ...['-c', 'max_connections=400'],
  ]);
  process.env['REGISTRAR_TEST_POSTGRES'] = server.url;
  (globalThis as { stopTestServer?: () => Promise<void> }).stopTestServer = async () => {
    await server.stop();
    await removePostgresFiles(directory);
  };
}
