import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { createLogger, type Logger } from './logging.ts';

describe('the log', () => {
  let logger: Logger;
  let lines: string[];
  beforeEach(() => {
    lines = [];
    logger = createLogger('app', 'info', { write: (line) => lines.push(line) });
  });
  const last = () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;

  it('writes listed fields and redacts all others', () => {
    logger.warn(
      { code: 'invalid', attempts: 3, password: 'hunter2', headers: { cookie: 'hunter2' } },
      'refused',
    );
    expect(last()).toMatchObject({
      level: 'warn',
      app: 'app',
      code: 'invalid',
      attempts: 3,
      password: '[redacted]',
      headers: '[redacted]',
      msg: 'refused',
    });
    expect(lines.join()).not.toContain('hunter2');
  });

  it('redacts objects in listed fields and arguments of messages', () => {
    logger.info({ reason: { password: 'hunter2' }, code: [['hunter2']] }, 'a %s', 'hunter2');
    logger.info('%o', { password: 'hunter2' });
    logger.info({ msg: 'hunter2', err: 'hunter2' }, 'told');
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('hunter2');
  });

  it('writes a database error without the statement and its parameters', () => {
    const driverError = Object.assign(new Error('duplicate key'), { detail: 'Key (id)=(hunter2)' });
    const error = Object.assign(new Error('duplicate key', { cause: driverError }), {
      query: `INSERT INTO users VALUES ('hunter2')`,
      parameters: ['hunter2'],
      code: '23505',
      detail: driverError.detail,
      driverError,
    });
    logger.error({ err: error }, 'request failed');
    expect(last()).toMatchObject({
      msg: 'request failed',
      err: {
        type: 'Error',
        message: 'duplicate key',
        code: '23505',
        stack: expect.stringContaining('logging.spec'),
        cause: { message: 'duplicate key' },
      },
    });
    expect(Object.keys(last()['err'] as object)).toEqual([
      'type',
      'message',
      'code',
      'stack',
      'cause',
    ]);
    expect(lines.join()).not.toContain('hunter2');
  });

  it('redacts data that the message of an error quotes', () => {
    const unfit = Object.assign(new Error('invalid input syntax for type uuid: "hunter2 \\"x"'), {
      code: '22P02',
    });
    logger.error({ err: unfit }, 'request failed');
    logger.error(unfit);
    expect(last()).toMatchObject({ err: { message: 'invalid input syntax for type uuid: "…"' } });
    for (const text of ['hunter2', '{"password":hunter2}', '["hunter2",]', '{"a":"hunter2"']) {
      try {
        JSON.parse(text);
      } catch (error) {
        logger.error({ err: error, reason: Failure.from(error).message }, 'cannot read');
      }
    }
    logger.warn({ reason: Failure.from(unfit).message }, 'cannot keep');
    expect(lines).toHaveLength(7);
    expect(lines.join()).not.toContain('hunter2');
  });

  it('redacts credentials and query strings of URLs', async () => {
    const withPassword = 'amqps://registrar:hunter2@rabbitmq:5671/%2f?heartbeat=10';
    const refusal: unknown = await fetch('http://registrar:hunter2@localhost/').catch(
      (error: unknown) => error,
    );
    logger.warn({ reason: `cannot reach ${withPassword}` }, `tried ${withPassword}`);
    logger.warn({ err: refusal, reason: Failure.from(refusal).message }, 'not asked');
    logger.warn({ err: new Error('GET https://a.example/x?key=hunter2 failed') }, 'not asked');
    expect(lines[0]).toContain('amqps://[redacted]@rabbitmq:5671/%2f?[redacted]');
    expect(lines.join()).not.toContain('hunter2');
  });

  /** Arguments of Node for a program that has a log on standard output. */
  const programWith = (statements: string): string[] => [
    '--input-type=module',
    '--eval',
    `import { createLogger } from ${JSON.stringify(new URL('../dist/logging.js', import.meta.url))};
    const logger = createLogger('app', 'info');
    ${statements}`,
  ];

  it.each([
    ['ends', 0, ''],
    ['exits', 3, 'process.exit(3);'],
    [
      'throws an uncaught error',
      1,
      "setTimeout(() => { logger.info('last'); throw new Error(); });",
    ],
  ])('keeps all lines of a process that %s', (_, code, end) => {
    const program = programWith(`
      for (let line = 0; line < 1_000; line += 1) logger.info('request served');
      logger.info('last'); ${end}`);
    const { status, stdout } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    expect(status).toBe(code);
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages.filter((message) => message === 'request served')).toHaveLength(1_000);
    expect(messages.at(-1)).toBe('last');
  });

  it('writes the lines of an idle process at once', async () => {
    const program = programWith("logger.info('ready'); setInterval(() => {}, 1_000);");
    const child = spawn(process.execPath, program);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill();
    expect(line.toString()).toContain('"msg":"ready"');
  });
});
