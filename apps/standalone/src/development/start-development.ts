import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clock } from '@registrar/platform';
import type { RunningApp } from '@registrar/bootstrap';
import { startEmbeddedPostgres } from '@registrar/persistence';

import * as z from 'zod';
import { compile, isTestFile, readOptions } from './compile.ts';

/** How long an editor may take to write the files of one change, in milliseconds. */
const settleMs = 50;
/** How long a program may finish its work before it is replaced, in milliseconds. */
const stopMs = 300;

const manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });
const program = fileURLToPath(new URL('./program.js', import.meta.url));
const print = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Runs standalone and starts it again whenever a source of an app or a library changes. PostgreSQL
 * runs on across restarts, and only the changed files are compiled.
 *
 * @param root the directory of the repository
 */
export async function startDevelopment(root: string): Promise<RunningApp> {
  const options = await readOptions(root);
  const postgres = await startEmbeddedPostgres(join(process.env['DATA_DIR'] ?? 'var', 'postgres'));
  const stopping = new AbortController();
  const projects = globSync(['apps/*/', 'libs/*/'], { cwd: root })
    .map((directory) => join(root, directory))
    .filter((directory) => existsSync(join(directory, 'src')));
  const changed = new Map<string, () => Promise<void>>();
  let wake = Promise.withResolvers<void>();
  for (const project of projects) {
    const { signal } = stopping;
    watch(join(project, 'src'), { recursive: true, signal }, (_event, file) => {
      if (!file || isTestFile(file)) return;
      changed.set(join(project, file), async () => {
        const found = await stat(join(project, 'src', file)).catch(() => null);
        if (!found?.isDirectory()) await compile(project, file, options);
      });
      wake.resolve();
    });
  }

  const packages = await thirdPartyPackages(projects);
  const prepare = () =>
    fork(program, packages, {
      execArgv: ['--enable-source-maps'],
      env: {
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
        ...process.env,
        NODE_ENV: 'development',
      },
    });
  type Program = ReturnType<typeof prepare>;
  const end = async (running: Program) => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGTERM');
    // Whatever a killed program had not finished, its outbox and leases hold.
    const killer = setTimeout(() => running.kill('SIGKILL'), stopMs);
    await exited;
    clearTimeout(killer);
  };

  const supervise = async () => {
    let reserve: Program | null = null;
    const start = (greets: boolean): Program => {
      const started = reserve ?? prepare();
      reserve = null;
      started.send({ databaseUrl: postgres.url, greets });
      // Not before the program is ready, whose start it would slow down.
      started.once('message', () => {
        if (!stopping.signal.aborted) reserve ??= prepare();
      });
      return started;
    };
    let running = start(true);
    while (!stopping.signal.aborted) {
      await wake.promise;
      if (stopping.signal.aborted) break;
      const since = clock.monotonic();
      await clock.sleep(settleMs);
      wake = Promise.withResolvers();
      const work = [...changed.values()];
      changed.clear();
      try {
        await Promise.all(work.map((compileOne) => compileOne()));
      } catch (error) {
        print((error as Error).message);
        continue;
      }
      await end(running);
      running = start(false);
      running.once('message', () => {
        print(`Restarted in ${((clock.monotonic() - since) / 1000).toFixed(1)} s.`);
      });
    }
    await end(running);
    if (reserve) await end(reserve);
  };
  const supervised = supervise();
  return {
    stop: async () => {
      stopping.abort();
      wake.resolve();
      await supervised;
      await postgres.stop();
    },
  };
}

/** What the package.json files of these projects depend on, but for each other. */
async function thirdPartyPackages(projects: readonly string[]): Promise<string[]> {
  const manifests = await Promise.all(
    projects.map(async (project) =>
      manifest.parse(JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))),
    ),
  );
  const names = manifests.flatMap(({ dependencies }) => Object.keys(dependencies));
  return [...new Set(names)].filter((name) => !name.startsWith('@registrar/'));
}
