import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type StartedSystem, startStandaloneSystem } from '@registrar/standalone/testing';
import { programEnvironment } from '@registrar/testing';
import { ApiClient, records } from './client.ts';

const libraries = new URL('../../../libs/', import.meta.url);
const registrar = fileURLToPath(new URL('../../../apps/cli/bin/registrar.js', import.meta.url));
const program = fileURLToPath(new URL('../../../apps/standalone/dist/main.js', import.meta.url));

/** Runs a program to its end. */
async function run(
  words: readonly string[],
  settings: Record<string, string>,
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, words, {
    env: { ...programEnvironment(), ...settings },
    stdio: 'pipe',
  });
  child.stdin.end(input);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code: child.exitCode, stdout, stderr };
}

describe('the command line of the standalone process', () => {
  let system: StartedSystem;
  beforeAll(async () => {
    system = await startStandaloneSystem();
  });
  afterAll(() => system.dispose());

  const operate = (words: readonly string[], input = '') =>
    run([registrar, ...words], { DATA_DIR: system.dataDirectory }, input);
  const answer = async (words: readonly string[], input = '') => {
    const { code, stdout, stderr } = await operate([...words, '--json'], input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, string>;
  };

  it('needs no broker for realms, applications, keys and stored queries', async () => {
    const api = new ApiClient(system);
    const made = await answer(['realm', 'create', 'Pool', '--with-application']);
    const { realm_guid = '', realm_secret_key = '', sc_app_id = '', sc_secret_key = '' } = made;
    const pair = { realm_guid, realm_secret_key };
    expect(records(await api.get('/course.json', { sc_app_id, sc_secret_key }))).toEqual([]);
    const second = await answer(['application', 'create', '--realm', realm_guid]);
    const known = records(await api.get('/course_provider.json', pair));
    expect(known.map((each) => each['sc_app_id'])).toEqual([sc_app_id, second['sc_app_id']]);
    expect(await answer(['provider', 'test', String(second['course_provider_id'])])).toMatchObject({
      credentials_accepted: true,
      url: system.providerUrl,
    });

    const user = ['--user', 'learner@example.com'];
    const key = await answer(['key', 'create', '--realm', realm_guid, ...user]);
    const api_key = key['access_token'] ?? '';
    expect(records(await api.get('/registration.json', { api_key }))).toEqual([]);

    const sql = 'SELECT count(*) AS count FROM registrations';
    await answer(['query', 'put', 'counted', '--realm', realm_guid, '--sql-file', '-'], sql);
    const rows = await answer(['query', 'run', 'counted', '--realm', realm_guid]);
    expect(rows).toEqual([{ count: 0 }]);
    expect((await operate(['doctor'])).stdout).toContain('ok    Registrar: it runs');
  });

  it('goes through a socket that the owner of DATA_DIR alone may use', async () => {
    const modeOf = async (path: string) =>
      ((await stat(join(system.dataDirectory, path))).mode & 0o777).toString(8);
    expect(await modeOf('run')).toBe('700');
    expect(await modeOf('run/registrar.sock')).toBe('600');
  });

  it('the command line of the standalone process is not disturbed by a second start, which reports the directory that is in use', async () => {
    const settings = {
      DATA_DIR: system.dataDirectory,
      PORT: '0',
      PROVIDER_PORT: '0',
      CONSOLE_PORT: '0',
    };
    const { code, stdout, stderr } = await run([program], settings);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(
      `DATA_DIR is in use by another running Registrar: ${system.dataDirectory}`,
    );
    expect((await operate(['realm', 'list'])).code).toBe(0);
  });
});

describe('the lifecycle of the standalone process', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'registrar-life-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('exits with code 0 after SIGINT, and keeps its data across a restart', async () => {
    const first = await startStandaloneSystem({}, directory);
    const learner = { ...new ApiClient(first).realm, learner_id: 'kept@example.com' };
    const course = { course_guid: first.quickstart.course_guid };
    const made = await new ApiClient(first).post('/registration.json', { ...learner, ...course });
    expect(made.status).toBe(201);
    const own = ['application', 'create', '--realm', first.quickstart.realm_guid, '--json'];
    const operate = (words: readonly string[]) =>
      run([registrar, ...words], { DATA_DIR: directory });
    const account = JSON.parse((await operate(own)).stdout) as { course_provider_id: number };
    expect(await first.interrupt()).toBe(0);
    expect((await operate(['realm', 'list'])).stderr).toContain('no Registrar is running');

    const second = await startStandaloneSystem({}, directory);
    expect(second.quickstart.realm_guid).toBe(first.quickstart.realm_guid);
    const api = new ApiClient(second);
    const kept = records(await api.get('/registration.json', learner));
    expect(kept).toHaveLength(1);
    // The restart uses other ports for the API and the provider.
    const fresh = await api.post('/registration.json', { ...learner, ...course });
    expect(fresh.status).toBe(201);
    const test = ['provider', 'test', String(account.course_provider_id), '--json'];
    expect(JSON.parse((await operate(test)).stdout)).toMatchObject({
      url: second.providerUrl,
      credentials_accepted: true,
    });
    expect(await second.interrupt()).toBe(0);
  });

  it('prints each refused request in one line without its query string', async () => {
    const system = await startStandaloneSystem({}, directory);
    const api = new ApiClient(system);
    const secret = 'a-wrong-secret-of-a-client';
    const responses = [
      await api.get('/course.json', {}),
      await api.get('/course.json', { ...api.realm, [`color\u009b`]: secret }),
      await api.get('/courses.json', { api_key: secret }),
      await api.get(`/course.json&api_key=${secret}`, {}),
    ];
    const root = new URL(system.quickstart.base_url).pathname;
    const expected = [
      [401, '/course.json: no access mode is given'],
      [500, '/course.json: unknown parameters: "…"'],
      [404, '/courses.json: there is no such path'],
      [406, '/course.json…: the format "json…" is not json, xml or csv'],
    ] as const;
    const lines = system.printed().split('\n');
    for (const [index, [status, text]] of expected.entries()) {
      const id = responses[index]?.headers.get('x-request-id');
      expect(lines).toContain(`${status} GET ${root}${text} (request ${id})`);
    }
    expect(lines.filter((line) => / GET /.test(line))).toHaveLength(expected.length);
    expect(system.printed()).not.toContain(secret);
    expect(await system.interrupt()).toBe(0);
  });

  it('logs an uncaught error in one line without its details, and exits with code 1', async () => {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { runProcess } from '${libraries.href}bootstrap/dist/index.js';
       import { createLogger } from '${libraries.href}platform/dist/index.js';
       const defect = Object.assign(new Error('a defect'), { parameters: ['hunter2'] });
       await runProcess(async () => {
         setImmediate(() => void Promise.reject(defect));
         return { stop: async () => undefined };
       }, createLogger('app', 'info'));`,
    ]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    const lines = output.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      level: 'fatal',
      msg: 'a defect ends the process',
      err: { message: 'a defect' },
    });
    expect(output).not.toContain('hunter2');
  });

  it('reports a port that is in use in one line, with a free one', async () => {
    const occupant = createServer().listen(0);
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const settings = {
      DATA_DIR: directory,
      PORT: String(port),
      PROVIDER_PORT: '0',
      CONSOLE_PORT: '0',
    };
    const { code, stdout, stderr } = await run([program], settings);
    const output = stdout + stderr;
    occupant.close();
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain(`port ${port} is in use by another program`);
    const [, free] = /Free would be: PORT=(\d+)/.exec(output) ?? [];
    expect(Number(free)).toBeGreaterThan(port);
  });
});
