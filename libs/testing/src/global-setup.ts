import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Jest hands this file to Node itself, which strips types but knows no decorators: so not by #libs.
// eslint-disable-next-line no-restricted-imports
import { startEmbeddedPostgres } from '../../persistence/src/embedded-postgres.ts';

/** Starts the PostgreSQL of a test run; the function that it answers to `globalTeardown` ends it. */
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
    await rm(directory, { recursive: true, force: true });
  };
}
