import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { removePostgresFiles } from './postgres-files.ts';

const source = new URL('./embedded-postgres.ts', import.meta.url).href;

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

describe('the embedded PostgreSQL', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'registrar-embedded-'));
  });
  afterAll(() => removePostgresFiles(directory));

  const serverPid = async () =>
    Number((await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0]);

  it('keeps its data from one start to the next and leaves no process behind', async () => {
    const first = await startEmbeddedPostgres(directory);
    await valueOf(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pid = await serverPid();
    await first.stop();
    await expect(promisify(execFile)('ps', ['-p', String(pid)])).rejects.toThrow();

    const second = await startEmbeddedPostgres(directory);
    expect(await valueOf(second.url, 'SELECT answer FROM kept')).toBe(42);
    await second.stop();
  });

  it('refuses a directory that another live process uses, and names it', async () => {
    const first = await startEmbeddedPostgres(directory);
    await expect(startEmbeddedPostgres(directory)).rejects.toThrow(
      `DATA_DIR is in use by another running Registrar: ${directory} is locked`,
    );
    expect(await valueOf(first.url, 'SELECT 1')).toBe(1);
    await first.stop();
  });

  it('takes over from a process that was killed', async () => {
    const script = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(source)});
      await startEmbeddedPostgres(${JSON.stringify(directory)});
      console.log('ready');
      setInterval(() => undefined, 1000);`;
    const victim = spawn(process.execPath, ['--input-type=module', '-e', script]);
    await once(victim.stdout, 'data');
    const orphan = await serverPid();
    victim.kill('SIGKILL');
    await once(victim, 'exit');

    const next = await startEmbeddedPostgres(directory);
    expect(await valueOf(next.url, 'SELECT answer FROM kept')).toBe(42);
    expect(await serverPid()).not.toBe(orphan);
    await next.stop();
  });
});
