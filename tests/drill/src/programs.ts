import { readdir } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Where Debian's packages install the servers, by their version. */
const installations = '/usr/lib/postgresql';

/** The programs of barman-cloud, which CloudNativePG's plugin uses too. */
const barman = [
  'barman-cloud-backup',
  'barman-cloud-backup-list',
  'barman-cloud-restore',
  'barman-cloud-wal-archive',
  'barman-cloud-wal-restore',
] as const;

/**
 * Finds the directory with the programs of the newest installed PostgreSQL.
 *
 * @throws when a program of the drill is missing; the message names its Debian package
 */
export async function findPostgresPrograms(): Promise<string> {
  const missing = barman.find((name) => spawnSync(name, ['--version']).error);
  if (missing) throw new Error(`${missing} is missing: install barman-cli-cloud and python3-boto3`);
  const versions = await readdir(installations).catch(() => []);
  const [newest] = versions
    .map(Number)
    .filter(Boolean)
    .sort((a, b) => b - a);
  if (!newest) throw new Error(`no PostgreSQL server under ${installations}: install postgresql`);
  return join(installations, String(newest), 'bin');
}
