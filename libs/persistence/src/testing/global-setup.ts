import { existsSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { removePostgresFiles } from '../postgres-files.ts';

const variable = 'REGISTRAR_TEST_POSTGRES';

/** The file system in memory on Linux: suites of databases take a third less processor time there than on a disk. */
const memory = '/dev/shm';
/** More bytes than the databases of a run have at one time. */
const neededBytes = 4 * 2 ** 30;

/** `TMPDIR` if it is set, or else a directory in memory if there is room. */
async function chooseParent(): Promise<string> {
  if (process.env['TMPDIR'] || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = await statfs(memory);
  return bavail * bsize >= neededBytes ? memory : tmpdir();
}

/**
 * Starts the PostgreSQL server of a test run, unless `REGISTRAR_TEST_POSTGRES` has one, such as one of
 * another version.
 *
 * @returns stops the server and removes its files
 */
export default async function startTestServer(): Promise<void | (() => Promise<void>)> {
  if (process.env[variable]) return;
  const directory = await mkdtemp(join(await chooseParent(), 'registrar-test-'));
  const server = await startEmbeddedPostgres(directory, [
    ...['-c', 'fsync=off'],
    ...['-c', 'synchronous_commit=off'],
    ...['-c', 'full_page_writes=off'],
    ...['-c', 'max_connections=400'],
  ]);
  process.env[variable] = server.url;
  return async () => {
    await server.stop();
    await removePostgresFiles(directory);
  };
}
