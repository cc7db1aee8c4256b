import { describe, expect, it } from 'vitest';
import { freePort } from '@registrar/testing';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './operator.fixture.ts';

const groups = {
  application: ['create'],
  realm: ['create', 'list', 'rotate'],
  provider: ['add', 'list', 'rotate', 'test'],
  key: ['create', 'list', 'revoke'],
  'launch-key': ['rotate'],
  query: ['list', 'put', 'drop', 'run'],
};
const commands = [
  ...Object.entries(groups).flatMap(([group, names]) => names.map((name) => [group, name])),
  ['quickstart'],
];

describe('the operator’s command line', () => {
  it('tells settings and exit codes in its help', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const group of Object.keys(groups)) expect(stdout).toContain(`  ${group} `);
    expect(stdout).toContain('AMQP_URL');
    expect(stdout).toContain('Exit codes:');
  });

  it.each(commands)('%s %s has help with examples, and answers in JSON', async (...command) => {
    const { code, stdout } = await run([...command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--json');
    expect(stdout).toContain(`Examples:\n  $ registrar ${command.join(' ')}`);
  });

  it('the operator’s command line has no way to give a secret as an argument', async () => {
    for (const command of commands) {
      const { stdout } = await run([...command, '--help']);
      expect(stdout).not.toMatch(/--secret(?!-file)|--password|<secret/);
    }
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['relm', 'list']],
    ['an unknown option', ['realm', 'list', '--al']],
    ['a missing argument', ['realm', 'create']],
    ['an argument too many', ['realm', 'list', 'all']],
    ['an id that is none', ['key', 'revoke', '0x10']],
    ['an e-mail address that is none', ['key', 'create', '--realm', 'r', '--user', 'nobody']],
    ['a parameter without a value', ['query', 'run', 'q', '--realm', 'r', '--param', 'since']],
    ['a missing setting', ['migrate', 'identity']],
  ])('ends with 2 for %s', async (_what, args) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });

  it('ends with 1 when no process uses DATA_DIR, and says how to start one', async () => {
    const environment = { DATA_DIR: join(tmpdir(), 'registrar-nowhere') };
    const { code, stderr } = await run(['realm', 'list'], { environment });
    expect(code).toBe(1);
    expect(stderr).toContain(`no Registrar is running with DATA_DIR=${environment.DATA_DIR}`);
    expect(stderr).toContain('npm start');
  });

  it('ends with 2 when DATA_DIR is too long for a socket', async () => {
    const environment = { DATA_DIR: `/${'x'.repeat(120)}` };
    const { code, stderr } = await run(['realm', 'list'], { environment });
    expect(code).toBe(2);
    expect(stderr).toContain('DATA_DIR is too long for a Unix socket');
  });

  it('ends with 1 when no broker answers, without its password', async () => {
    const port = await freePort();
    const environment = {
      AMQP_URL: `amqp://user:hunter2@127.0.0.1:${port}`,
      BUS_ACCOUNTS: 'shared',
    };
    const { code, stderr } = await run(['realm', 'list'], { environment });
    expect(code).toBe(1);
    expect(stderr).toBe('registrar: RabbitMQ does not answer at AMQP_URL\n');
  });
});
