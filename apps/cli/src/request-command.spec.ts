import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './operator.fixture.ts';

const line = (request_id: string, more: Record<string, unknown> = {}) =>
  `${JSON.stringify({ level: 'warn', time: '2026-11-21T09:15:13.000Z', app: 'gateway', request_id, ...more, msg: 'request refused' })}\n`;
const refused = {
  client_address: '192.0.2.7',
  operation: 'course index',
  account: 'key 5 of realm 1',
  status: 500,
  code: 'invalid',
  reason: 'unknown parameters: "color"',
};

describe('registrar request', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'request-command-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('registrar request finds a request in the logs of DATA_DIR, the older ones first', async () => {
    writeFileSync(join(directory, 'registrar.log'), line('mine', refused) + line('mine-too'));
    writeFileSync(join(directory, 'registrar.log.1'), line('mine', { app: 'catalog' }));
    const environment = { DATA_DIR: directory };
    const { code, stdout } = await run(['request', 'mine'], { environment });
    expect(code).toBe(0);
    const [head, first, second, ...rest] = stdout.trim().split('\n');
    expect(head).toMatch(/^TIME +APP +STATUS +OPERATION +ACCOUNT +ADDRESS +REASON$/);
    expect(first).toMatch(/^2026-11-21T09:15:13.000Z +catalog +- .* request refused$/);
    expect(second).toMatch(
      /gateway +500 +course index +key 5 of realm 1 +192.0.2.7 +unknown parameters: "color"$/,
    );
    expect(rest).toEqual([]);
    const json = await run(['request', 'mine', '--json'], { environment });
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each) as unknown),
    ).toEqual([expect.objectContaining({ app: 'catalog' }), expect.objectContaining(refused)]);
  });

  it('registrar request reads files and standard input, with prefixes of a collector', async () => {
    const stdin = `[pod/gateway-0/gateway] ${line('mine', refused)}no json mine\n`;
    const environment = { AMQP_URL: 'amqp://localhost' };
    const piped = await run(['request', 'mine', '-'], { stdin, environment });
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining('"color"') });
    const file = join(directory, 'gateway.log');
    writeFileSync(file, line('mine', refused));
    expect((await run(['request', 'mine', file], { environment })).stdout).toContain('"color"');
  });

  it('registrar request ends with 1 for a request without a line, and with 2 without a log', async () => {
    const environment = { DATA_DIR: directory };
    expect(await run(['request', 'mine'], { environment })).toMatchObject({ code: 2 });
    writeFileSync(join(directory, 'registrar.log'), line('other'));
    const none = await run(['request', 'mine'], { environment });
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no line') });
    for (const args of [
      ['request', 'a b'],
      ['request', 'mine', join(directory, 'nothing')],
    ]) {
      expect(await run(args, { environment })).toMatchObject({ code: 2, stdout: '' });
    }
    const distributed = { AMQP_URL: 'amqp://localhost' };
    const { code, stderr } = await run(['request', 'mine'], { environment: distributed });
    expect([code, stderr]).toEqual([2, expect.stringContaining('standard input')]);
  });
});
