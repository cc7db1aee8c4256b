import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { removePostgresFiles } from '../postgres-files.ts';

const variable = 'REGISTRAR_TEST_POSTGRES';

/**
 * Starts the PostgreSQL server of a test run, which `jest-global-teardown.ts` stops. With a server in
 * `REGISTRAR_TEST_POSTGRES`, such as one of another version, the suites use that one.
 */
export default async function startTestServer(): Promise<void> {
  if (process.env[variable]) return;
  const directory = await mkdtemp(join(tmpdir(), 'registrar-test-'));
  const server = await startEmbeddedPostgres(directory, [
    ...['-c', 'fsync=off'],
    ...['-c', 'synchronous_commit=off'],
    ...['-c', 'full_page_writes=off'],
    ...['-c', 'max_connections=400'],
  ]);
  process.env[variable] = server.url;
  (globalThis as { stopTestServer?: () => Promise<void> }).stopTestServer = async () => {
    await server.stop();
    await removePostgresFiles(directory);
  };
}
