import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { clock, SettingsError } from '@registrar/platform';
import { closedDirectoryAbove, postgresUser } from './system-user.ts';

/** The paths of PostgreSQL's programs. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/** Where PostgreSQL's programs and data are, and why they are there. */
export interface PostgresFiles {
  readonly programs: PostgresPrograms;
  readonly data: string;
  /** One line for the log when files are outside the project's directory; null otherwise. */
  readonly notice: string | null;
}

/** Holds the files that the user `postgres` could not reach in the project's directory. */
export const defaultStateDirectory = '/var/lib/registrar';

const run = promisify(execFile);

/**
 * Places PostgreSQL's files where the user `postgres` can reach them; only root can call this.
 *
 * Programs and data stay where they are when every user may enter the directories above them.
 * Otherwise the programs are copied once per version to `stateDirectory`, and the data are placed in
 * a new directory below it, to which the link `data` in `directory` leads. The link carries a random
 * id: after `directory` was deleted, the next start creates an empty database.
 *
 * @param directory exists and belongs to one installation
 * @throws {SettingsError} when the data are in `directory` already, but unreachable, and when the
 * link was copied from another installation
 */
export async function placePostgresFiles(
  directory: string,
  programs: PostgresPrograms,
  stateDirectory = defaultStateDirectory,
): Promise<PostgresFiles> {
  const closedPrograms = await closedDirectoryAbove(programs.postgres);
  const placedPrograms = closedPrograms ? await copyPrograms(programs, stateDirectory) : programs;
  const place = await placeData(await realpath(directory), stateDirectory);

  const moved = [
    ...(place.isLinked ? [`data are in ${place.data}`] : []),
    ...(closedPrograms ? [`programs are in ${dirname(placedPrograms.postgres)}`] : []),
  ];
  if (moved.length === 0) return { programs, data: place.data, notice: null };
  const closed = place.closedDirectory ?? closedPrograms;
  const reason = closed ? `, because its user ${postgresUser} may not enter ${closed}` : '';
  const leftOver = place.former.map(
    (former) => `; ${former} holds the database of a deleted installation in the same place`,
  );
  const notice = `PostgreSQL's ${moved.join(' and its ')}${reason}${leftOver.join('')}`;
  return { programs: placedPrograms, data: place.data, notice };
}

/** Removes `directory`, and its data below `stateDirectory` if they are there. */
export async function removePostgresFiles(
  directory: string,
  stateDirectory = defaultStateDirectory,
): Promise<void> {
  const linked = await linkedData(join(directory, 'data'), stateDirectory);
  if (linked) await rm(dirname(linked), { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
}

interface DataPlace {
  readonly data: string;
  /** Whether the data are below the state directory. */
  readonly isLinked: boolean;
  /** The directory that keeps the user `postgres` out of the project; null when there is none. */
  readonly closedDirectory: string | null;
  /** Directories with data of deleted installations in the same place. */
  readonly former: readonly string[];
}

async function placeData(directory: string, stateDirectory: string): Promise<DataPlace> {
  const inPlace = join(directory, 'data');
  const linked = await linkedData(inPlace, stateDirectory);
  const closedDirectory = await closedDirectoryAbove(directory);
  if (!linked && (!closedDirectory || existsSync(inPlace))) {
    // The user `postgres` must pass through it to its data.
    await chmod(directory, 0o711);
    const data = await existingData(inPlace, stateDirectory);
    return { data: data ?? inPlace, isLinked: false, closedDirectory: null, former: [] };
  }

  await createStateDirectory(stateDirectory);
  const data = linked ?? (await linkNewData(inPlace, directory, stateDirectory));
  await claimData(data, directory);
  const former = await formerData(data, directory, stateDirectory);
  return { data, isLinked: true, closedDirectory, former };
}

/** The real path of data that exist, which the operator may have linked to a place of their own. */
async function existingData(path: string, stateDirectory: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  const data = await realpath(path);
  const closed = await closedDirectoryAbove(data);
  if (!closed) return data;
  throw new SettingsError(
    `DATA_DIR: as root, PostgreSQL runs as the user ${postgresUser}, who may not enter ${closed} ` +
      `to reach ${data}; move ${data} to a new directory below ${stateDirectory} and ` +
      `leave a link in its place, or start Registrar as the owner of the data`,
  );
}

/** The target of the link `link` when it is a data directory below `stateDirectory`, or else null. */
async function linkedData(link: string, stateDirectory: string): Promise<string | null> {
  const target = await readlink(link).catch(() => null);
  return target && dirname(dirname(target)) === stateDirectory ? target : null;
}

/** Creates a place for data below `stateDirectory` and the link `link` to it. */
async function linkNewData(
  link: string,
  directory: string,
  stateDirectory: string,
): Promise<string> {
  // The path is for people who look for the data; the random part makes the name unique.
  const readable = directory.split(/[^\w.]+/).filter(Boolean);
  const name = `${readable.join('-').slice(-100)}-${randomBytes(4).toString('hex')}`;
  const place = join(stateDirectory, name);
  await mkdir(place);
  await chmod(place, 0o711);
  const data = join(place, 'data');
  try {
    await symlink(data, link);
    return data;
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    // Another process that starts in the same directory was faster.
    const linked = await linkedData(link, stateDirectory);
    if (!linked) throw error;
    return linked;
  }
}

/** The file beside the data that names the directory whose link `data` leads to them. */
const claimFile = 'used-by';

/**
 * Records that `directory` uses the data. A directory that was moved keeps its data; a copy of a
 * directory that still exists is refused, because both would write to one database.
 */
async function claimData(data: string, directory: string): Promise<void> {
  const file = join(dirname(data), claimFile);
  const claimed = await readClaim(dirname(data));
  if (claimed === directory) return;
  if (claimed && (await readlink(join(claimed, 'data')).catch(() => null)) === data) {
    throw new SettingsError(
      `DATA_DIR: ${directory} is a copy of ${claimed} and shares its database in ${data}; ` +
        `remove the link ${join(directory, 'data')} to start with an empty database, ` +
        `or link it to a copy of the database`,
    );
  }
  await mkdir(dirname(data), { recursive: true });
  await chmod(dirname(data), 0o711);
  await writeFile(file, `${directory}\n`, { mode: 0o600 });
}

const readClaim = async (place: string): Promise<string | null> =>
  (await readFile(join(place, claimFile), 'utf8').catch(() => null))?.trim() ?? null;

async function formerData(
  data: string,
  directory: string,
  stateDirectory: string,
): Promise<string[]> {
  const places = (await readdir(stateDirectory)).map((name) => join(stateDirectory, name));
  const former: string[] = [];
  for (const place of places) {
    if (place === dirname(data) || !existsSync(join(place, 'data'))) continue;
    if ((await readClaim(place)) === directory) former.push(place);
  }
  return former;
}

async function createStateDirectory(stateDirectory: string): Promise<void> {
  await mkdir(stateDirectory, { recursive: true });
  // Whatever the umask is, other users must be able to pass through it.
  await chmod(stateDirectory, 0o711);
  const closed = await closedDirectoryAbove(join(stateDirectory, 'data'));
  if (closed) {
    throw new SettingsError(
      `as root, PostgreSQL runs as the user ${postgresUser}, who may not enter ${closed}; ` +
        `start Registrar as another user`,
    );
  }
}

const abandonedAfterMs = 3_600_000;

/**
 * Copies the package's programs and what they load to a directory of `stateDirectory` that is named
 * after their version, unless it exists. The copy gets its name when it is complete, so that an
 * interrupted copy is not used, and of processes that copy at the same time the first one wins.
 */
export async function copyPrograms(
  programs: PostgresPrograms,
  stateDirectory: string,
): Promise<PostgresPrograms> {
  const source = dirname(dirname(programs.postgres));
  const { version } = JSON.parse(await readFile(join(dirname(source), 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(stateDirectory, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) {
    await createStateDirectory(stateDirectory);
    await removeAbandonedCopies(copy);
    const unfinished = await mkdtemp(`${copy}.`);
    try {
      await cp(source, unfinished, {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
        filter: (path) => extname(path) !== '.a' && basename(path) !== 'pkgconfig',
      });
      await run('chmod', ['-R', 'a+rX', unfinished]);
      // The name must not survive a power failure that the content does not survive.
      await run('sync', ['-f', unfinished]);
      await rename(unfinished, copy);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  const copied = (program: string) => join(copy, 'bin', basename(program));
  return {
    initdb: copied(programs.initdb),
    pg_ctl: copied(programs.pg_ctl),
    postgres: copied(programs.postgres),
  };
}

/** Removes what copies that were interrupted long ago have left. */
async function removeAbandonedCopies(copy: string): Promise<void> {
  for (const name of await readdir(dirname(copy))) {
    if (!name.startsWith(`${basename(copy)}.`)) continue;
    const path = join(dirname(copy), name);
    const found = await stat(path).catch(() => null);
    if (found && clock.now() - found.mtimeMs > abandonedAfterMs) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
