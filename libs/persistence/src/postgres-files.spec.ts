import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import {
  copyPrograms,
  placePostgresFiles,
  type PostgresPrograms,
  removePostgresFiles,
} from './postgres-files.ts';

const isRoot = process.getuid?.() === 0;
const describeAsRoot = isRoot ? describe : describe.skip;
const reason = isRoot ? '' : ' (skipped: needs root)';

describeAsRoot(`PostgreSQL's files when root works in a directory with mode 0700${reason}`, () => {
  /** Stands for the home directory of root. */
  let home: string;
  /** Stands for /var/lib/registrar. */
  let stateDirectory: string;
  /** Programs that only root can reach. */
  let programs: PostgresPrograms;
  let root: string;

  beforeAll(async () => {
    // Every user may enter this directory, other than that of TMPDIR on some systems.
    root = await mkdtemp('/tmp/registrar-files-');
    await chmod(root, 0o711);
    home = join(root, 'home');
    await mkdir(home, { mode: 0o700 });
    const { postgres } = (await import(
      `@embedded-postgres/${process.platform}-${process.arch}`
    )) as PostgresPrograms;
    const copy = join(home, 'package');
    await cp(join(dirname(postgres), '..', '..'), copy, {
      recursive: true,
      verbatimSymlinks: true,
    });
    const program = (name: string) => join(copy, 'native', 'bin', name);
    programs = {
      initdb: program('initdb'),
      pg_ctl: program('pg_ctl'),
      postgres: program('postgres'),
    };
    stateDirectory = join(root, 'registrar');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  let dataDirectory: string;
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(home, 'var-'));
  });

  const start = (places = { programs, stateDirectory }) =>
    startEmbeddedPostgres(dataDirectory, ['-c', 'fsync=off'], undefined, places);
  const place = (directory = dataDirectory) =>
    placePostgresFiles(directory, programs, stateDirectory);

  it('starts PostgreSQL on files below the state directory and keeps the data across restarts', async () => {
    const first = await start();
    expect(await valueOf(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer')).toBeUndefined();
    await first.stop();

    expect(dirname(dirname(first.dataDirectory))).toBe(stateDirectory);
    expect(first.notice).toBe(
      `PostgreSQL's data are in ${first.dataDirectory} and its programs are in ` +
        `${dirname((await place()).programs.postgres)}, ` +
        `because its user postgres may not enter ${home}`,
    );
    expect(await readlink(join(dataDirectory, 'data'))).toBe(first.dataDirectory);
    const data = await stat(first.dataDirectory);
    expect(data.mode & 0o777).toBe(0o700);
    expect(data.uid).toBe(Number((await promisify(execFile)('id', ['-u', 'postgres'])).stdout));
    expect((await stat(home)).mode & 0o777).toBe(0o700);

    const second = await start();
    expect(second.dataDirectory).toBe(first.dataDirectory);
    expect(await valueOf(second.url, 'SELECT answer FROM kept')).toBe(42);
    await second.stop();
  });

  it('leaves files in place when every user can reach them', async () => {
    const reachable = await mkdtemp(join(root, 'var-'));
    const packaged = (await import(
      `@embedded-postgres/${process.platform}-${process.arch}`
    )) as PostgresPrograms;
    const files = await placePostgresFiles(reachable, { ...packaged }, stateDirectory);
    expect(files.data).toBe(join(reachable, 'data'));
    expect(existsSync(join(reachable, 'data'))).toBe(false);
  });

  it('works with a umask that closes new directories to other users', async () => {
    const before = process.umask(0o077);
    try {
      const server = await start({ programs, stateDirectory: join(root, 'umask') });
      expect(await valueOf(server.url, 'SELECT 1')).toBe(1);
      await server.stop();
    } finally {
      process.umask(before);
    }
  });

  it('creates an empty place for data after DATA_DIR was deleted and names the former one', async () => {
    const { data: former } = await place();
    await mkdir(former);
    await rm(dataDirectory, { recursive: true });
    await mkdir(dataDirectory);

    const { data, notice } = await place();
    expect(data).not.toBe(former);
    expect(existsSync(data)).toBe(false);
    expect(notice).toContain(`; ${dirname(former)} holds the database of a deleted installation`);
  });

  it('creates an empty database when the directory below the state directory was deleted', async () => {
    await rm(dirname((await place()).data), { recursive: true });
    const server = await start();
    expect(await valueOf(server.url, 'SELECT 1')).toBe(1);
    await server.stop();
  });

  it('uses existing data that the operator has linked to a reachable place', async () => {
    const own = await mkdtemp(join(root, 'own-'));
    await chmod(own, 0o711);
    await mkdir(join(own, 'data'));
    await symlink(join(own, 'data'), join(dataDirectory, 'data'));
    expect((await place()).data).toBe(join(own, 'data'));

    await chmod(own, 0o700);
    await expect(place()).rejects.toThrow(`who may not enter ${own} to reach`);
  });

  it('keeps the data when DATA_DIR is moved', async () => {
    const { data } = await place();
    const moved = `${dataDirectory}-moved`;
    await rename(dataDirectory, moved);
    expect((await place(moved)).data).toBe(data);
    // The data belong to the new path from now on.
    await mkdir(dataDirectory);
    expect((await place()).notice).not.toContain('deleted installation');
  });

  it('refuses a copy of DATA_DIR until it is linked to a copy of the database', async () => {
    const { data } = await place();
    const copy = `${dataDirectory}-copy`;
    await cp(dataDirectory, copy, { recursive: true, verbatimSymlinks: true });
    await expect(place(copy)).rejects.toThrow(`${copy} is a copy of ${dataDirectory}`);

    const copied = join(stateDirectory, 'copy');
    await cp(dirname(data), copied, { recursive: true });
    await rm(join(copy, 'data'));
    await symlink(join(copied, 'data'), join(copy, 'data'));
    expect((await place(copy)).data).toBe(join(copied, 'data'));
    expect((await place()).data).toBe(data);
  });

  it('refuses existing data in DATA_DIR that the user postgres cannot reach', async () => {
    await mkdir(join(dataDirectory, 'data'));
    await expect(place()).rejects.toThrow(`who may not enter ${home} to reach`);
  });

  it('gives two processes that start in one directory the same place for data', async () => {
    const [one, other] = await Promise.all([place(), place()]);
    expect(one.data).toBe(other.data);
    const places = await readdir(stateDirectory);
    expect(places.filter((name) => name.includes(basename(dataDirectory)))).toHaveLength(1);
  });

  it('removes the data below the state directory together with the directory', async () => {
    const server = await start();
    await server.stop();
    await removePostgresFiles(dataDirectory, stateDirectory);
    expect(existsSync(dataDirectory)).toBe(false);
    expect(existsSync(dirname(server.dataDirectory))).toBe(false);
  });

  describe('the copy of the programs', () => {
    let copies: string;
    /** A package that is quick to copy. */
    let small: PostgresPrograms;
    beforeEach(async () => {
      copies = await mkdtemp(join(root, 'copies-'));
      const bin = join(dataDirectory, 'package', 'native', 'bin');
      await mkdir(bin, { recursive: true });
      await mkdir(join(bin, '..', 'share'));
      await writeFile(join(dataDirectory, 'package', 'package.json'), '{"version":"1.2"}');
      const program = async (name: string) => {
        await writeFile(join(bin, name), '#!/bin/sh', { mode: 0o700 });
        return join(bin, name);
      };
      small = {
        initdb: await program('initdb'),
        pg_ctl: await program('pg_ctl'),
        postgres: await program('postgres'),
      };
    });
    const copy = () => copyPrograms(small, copies);

    it('the copy of the programs is made once by processes that start at the same time', async () => {
      const source = new URL('./postgres-files.ts', import.meta.url).href;
      const script = `
        const { copyPrograms } = await import(${JSON.stringify(source)});
        const programs = ${JSON.stringify(programs)};
        const copied = await copyPrograms(programs, ${JSON.stringify(copies)});
        console.log(copied.postgres);`;
      const starter = () =>
        promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      const [one, other] = await Promise.all([starter(), starter()]);
      expect(one.stdout).toBe(other.stdout);
      expect(await readdir(copies)).toHaveLength(1);
      const { stdout } = await promisify(execFile)(one.stdout.trim(), ['--version']);
      expect(stdout).toContain('postgres (PostgreSQL)');
    });

    it('the copy of the programs is readable by every user and reused by the next start', async () => {
      const { postgres } = await copy();
      const { ino, mode } = await stat(postgres);
      expect(mode & 0o777).toBe(0o755);
      expect((await stat((await copy()).postgres)).ino).toBe(ino);
    });

    it('replaces a copy that was interrupted, which is removed an hour later', async () => {
      const complete = dirname(dirname((await copy()).postgres));
      const interrupted = `${complete}.AbCdEf`;
      await rename(complete, interrupted);
      await rm(join(interrupted, 'share'), { recursive: true });
      await copy();
      expect(existsSync(join(complete, 'share'))).toBe(true);
      expect(existsSync(interrupted)).toBe(true);

      await rm(complete, { recursive: true });
      const twoHoursAgo = Date.now() / 1000 - 7200;
      await utimes(interrupted, twoHoursAgo, twoHoursAgo);
      await copy();
      expect(await readdir(copies)).toEqual([basename(complete)]);
    });

    it('leaves nothing behind when it fails', async () => {
      await rm(dirname(dirname(small.postgres)), { recursive: true });
      await expect(copy()).rejects.toThrow('ENOENT');
      expect(await readdir(copies)).toEqual([]);
    });
  });
});

async function valueOf(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}
