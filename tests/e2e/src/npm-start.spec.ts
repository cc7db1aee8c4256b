import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removePostgresFiles } from '@registrar/persistence';
import { eventually, freePort, programEnvironment } from '@registrar/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs a script of `directory` as a user does; npm gets only the signals that the test sends to it. */
function runNpm(
  directory: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const { HOME } = process.env;
  const child = spawn('npm', ['--no-update-notifier', ...words], {
    cwd: directory,
    env: { ...programEnvironment(), HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString('utf8')));
  child.stderr.on('data', (part: Buffer) => (output += part.toString('utf8')));
  const closed = once(child, 'close');
  return {
    output: () => output,
    /** Waits until npm and everything that writes to its output has ended. */
    ended: async () => {
      await closed;
      return { code: child.exitCode, output };
    },
    terminate: () => child.kill('SIGTERM'),
    /** Ends whatever has not ended: npm, its shell and its children are one process group. */
    killAll: () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    },
  };
}

/** Whether a program listens at a port of this machine. */
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });

/** Whether a process exists. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A repository with the scripts and the build of this one, whose own build leaves the files as they are. */
async function copyRepository(directory: string): Promise<void> {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as { scripts: Record<string, string> };
  manifest.scripts['build'] = 'echo built';
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
  await copyFile(join(root, 'run-built.js'), join(directory, 'run-built.js'));
  for (const name of ['apps', 'node_modules'])
    await symlink(join(root, name), join(directory, name));
}

describe('npm start', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'registrar-npm-start-'));
    // As root, the database runs as another user and must get to its data.
    await chmod(directory, 0o711);
    // A build here would replace files that other suites run.
    await copyRepository(directory);
  });
  afterAll(async () => {
    await removePostgresFiles(join(directory, 'var/postgres'));
    await rm(directory, { recursive: true, force: true });
  });

  it('prints the welcome without the output of the build, and stops everything after SIGTERM to npm', async () => {
    const [port, providerPort] = await Promise.all([freePort(), freePort()]);
    const npm = runNpm(directory, ['start'], {
      DATA_DIR: join(directory, 'var'),
      PORT: String(port),
      PROVIDER_PORT: String(providerPort),
      CONSOLE_PORT: '0',
    });
    try {
      await eventually('Registrar is ready', async () => npm.output().includes('is ready.'), {
        timeoutMs: 150_000,
      });
      const [before = ''] = npm.output().split('Registrar is ready.');
      const printed = before.split('\n').filter((line) => !/^npm warn |^Building…$|^$/.test(line));
      // What npm itself prints: the package and the command.
      expect(printed).toEqual([
        expect.stringMatching(/^> registrar@/),
        expect.stringMatching(/^> /),
      ]);
      const postmaster = await readFile(
        join(directory, 'var/postgres/data/postmaster.pid'),
        'utf8',
      );
      const postgres = Number(postmaster.split('\n')[0]);
      expect([await isOpen(port), await isOpen(providerPort), runs(postgres)]).toEqual([
        true,
        true,
        true,
      ]);

      npm.terminate();
      await npm.ended();
      expect([await isOpen(port), await isOpen(providerPort), runs(postgres)]).toEqual([
        false,
        false,
        false,
      ]);
    } finally {
      npm.killAll();
    }
  });
});

describe('run-built.js', () => {
  let directory: string;
  const prepare = async (name: string, build: string) => {
    const made = join(directory, name);
    await mkdir(made);
    await copyFile(join(root, 'run-built.js'), join(made, 'run-built.js'));
    const start = 'exec node run-built.js program.js';
    const manifest = { name, type: 'module', scripts: { build, start } };
    await writeFile(join(made, 'package.json'), JSON.stringify(manifest));
    await writeFile(
      join(made, 'program.js'),
      `if (process.argv[2] === 'wait') {
         process.once('SIGTERM', () => process.stdout.write('stopped\\n', () => process.exit(0)));
         setInterval(() => undefined, 1000);
       }
       process.stdout.write(JSON.stringify(process.argv.slice(1)) + '\\n');`,
    );
    return made;
  };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'registrar-run-built-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('runs a program with its arguments, and prints nothing of a build that succeeds', async () => {
    const made = await prepare('good', 'echo built');
    const { code, output } = await runNpm(made, [
      'run',
      '--silent',
      'start',
      '--',
      'a',
      'b',
    ]).ended();
    expect(code).toBe(0);
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toEqual([
      join(made, 'program.js'),
      'a',
      'b',
    ]);
    expect(output).not.toContain('built\n');
  });

  it('prints the output of a build that fails, and exits with its code without running the program', async () => {
    const made = await prepare('bad', 'echo on stdout; echo on stderr >&2; exit 7');
    const { code, output } = await runNpm(made, ['start', '--', 'a']).ended();
    expect(code).toBe(7);
    expect(output).toContain('on stdout\n');
    expect(output).toContain('on stderr\n');
    expect(output).not.toContain('["');
  });

  it('passes SIGTERM of npm on to the program', async () => {
    const npm = runNpm(await prepare('long', 'true'), ['start', '--', 'wait']);
    try {
      await eventually('the program runs', async () => npm.output().includes('"wait"]'));
      npm.terminate();
      expect((await npm.ended()).output).toContain('stopped\n');
    } finally {
      npm.killAll();
    }
  });

  it('ends the build after SIGTERM to npm', async () => {
    const made = await prepare('endless', 'echo $$ > pid; exec sleep 600');
    const npm = runNpm(made, ['start']);
    try {
      const pid = await eventually('the build runs', async () =>
        Number(await readFile(join(made, 'pid'), 'utf8').catch(() => '')),
      );
      npm.terminate();
      await npm.ended();
      await eventually('the build has ended', async () => !runs(pid));
    } finally {
      npm.killAll();
    }
  });
});
