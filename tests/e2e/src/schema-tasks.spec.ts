import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, programEnvironment, type TestDatabase } from '@registrar/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const contexts = ['provider', 'identity', 'catalog', 'enrolment', 'crawler'];

/** Runs the schema tasks of an installation as processes, as its platform does before the apps start. */
describe('schema tasks', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const start = (app: string, ...words: string[]) => {
    const entry = fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url));
    const child = spawn(process.execPath, [entry, ...words], {
      env: { ...programEnvironment(), DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const ended = said.then(([stdout, stderr]) => ({ code: child.exitCode, stdout, stderr }));
    return { child, ended };
  };
  const query = async <Row extends object>(sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  };

  it('await-schema waits until migrate has migrated the schema', async () => {
    const waiting = start('identity', 'await-schema');
    const [said] = (await once(waiting.child.stdout, 'data')) as [Buffer];
    expect(said.toString()).toContain('waiting for migrations of identity: Bus1700000000000, ');

    const migrated = await start('cli', 'migrate', '--json').ended;
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    const shown = JSON.parse(migrated.stdout) as { context: string; migrations: string[] }[];
    expect(shown.map(({ context }) => context)).toEqual(contexts);
    for (const { migrations } of shown) expect(migrations[0]).toBe('Bus1700000000000');
    expect((await waiting.ended).code).toBe(0);

    const again = await start('cli', 'migrate', 'crawler', '--json').ended;
    expect(JSON.parse(again.stdout)).toEqual([{ context: 'crawler', migrations: [] }]);
  });

  it('an app without a task names every missing setting in one message', async () => {
    const { code, stdout } = await start('identity').ended;
    const { msg } = JSON.parse(stdout) as { msg: string };
    const missing = ['MASTER_KEY_FILE', 'AMQP_URL'];
    expect(code).toBe(1);
    expect(msg.match(/\w+(?= is not set)/g)).toEqual(missing);
  });

  it('await-schema and migrate accept a schema that is newer than the app', async () => {
    await query(`INSERT INTO crawler.migrations (timestamp, name) VALUES (9e12, 'Later')`);
    expect(await start('crawler', 'await-schema').ended).toMatchObject({ code: 0 });
    expect(await start('crawler', 'migrate').ended).toMatchObject({ code: 0 });
  });

  it('await-schema exits after SIGTERM', async () => {
    await query(`DELETE FROM crawler.migrations WHERE timestamp = 1700000000000`);
    const { child, ended } = start('crawler', 'await-schema');
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(128 + 15);
  });

  it('migrate reports in one line why it failed', async () => {
    expect(await start('gateway', 'migrate').ended).toMatchObject({ code: 1 });
    const misled = start('cli', 'migrate', 'nobody');
    expect((await misled.ended).code).toBe(2);
    await query('DROP SCHEMA identity CASCADE');
    await query('CREATE SCHEMA identity; CREATE TABLE identity.outbox (id integer)');
    const failed = await start('cli', 'migrate', 'identity').ended;
    expect(failed.code).toBe(1);
    expect(failed.stderr).toBe('registrar: identity: relation "outbox" already exists\n');
  });
});
