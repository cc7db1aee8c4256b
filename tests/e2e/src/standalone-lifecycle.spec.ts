import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import { ApiClient, records } from './client.ts';

const libraries = new URL('../../../libs/', import.meta.url);
const program = fileURLToPath(new URL('../../../apps/standalone/dist/main.js', import.meta.url));

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
    expect(await first.interrupt()).toBe(0);

    const second = await startStandaloneSystem({}, directory);
    expect(second.quickstart.realm_guid).toBe(first.quickstart.realm_guid);
    const api = new ApiClient(second);
    const kept = records(await api.get('/registration.json', learner));
    expect(kept).toHaveLength(1);
    // The restart uses other ports for the API and the provider.
    const fresh = await api.post('/registration.json', { ...learner, ...course });
    expect(fresh.status).toBe(201);
    expect(await second.interrupt()).toBe(0);
  }, 180_000);

  it('prints each refused request in one line without its query string', async () => {
    const system = await startStandaloneSystem({}, directory);
    const api = new ApiClient(system);
    const secret = 'a-wrong-secret-of-a-client';
    const responses = [
      await api.get('/course.json', {}),
      await api.get('/course.json', { ...api.realm, [`colour\u009b`]: secret }),
      await api.get('/courses.json', { api_key: secret }),
      await api.get(`/course.json&api_key=${secret}`, {}),
    ];
    const root = new URL(system.quickstart.base_url).pathname;
    const expected = [
      [401, '/course.json: no access mode is given'],
      [500, '/course.json: unknown parameters: "colour?"'],
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
  }, 180_000);

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

  it('reports a port that is in use in one line', async () => {
    const occupant = createServer().listen(0);
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: directory,
        PORT: String(port),
        PROVIDER_PORT: '0',
      },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const [code] = (await once(child, 'exit')) as [number];
    occupant.close();
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain(`port ${port} is in use by another program`);
  }, 180_000);
});
