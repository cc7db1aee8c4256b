import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A running program of the benchmarks. */
export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What it reported when it was ready, such as its URL. */
  readonly ready: unknown;
}

/**
 * Starts a program of the benchmarks as a process, with Node's defaults, and waits for its first message.
 *
 * @param path below `src`, without extension
 * @throws {Error} when it ends before it is ready
 */
export async function startProgram(
  resources: AsyncDisposableStack,
  path: string,
  settings: Readonly<Record<string, string>>,
): Promise<Program> {
  const child = fork(fileURLToPath(new URL(`../${path}.js`, import.meta.url)), {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...settings },
  });
  const exit = once(child, 'exit');
  resources.defer(async () => {
    child.kill();
    await exit;
  });
  const ended = exit.then(([code]) => {
    throw new Error(`${path} ended with exit code ${String(code)}`);
  });
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  ended.catch(() => undefined);
  return { child, pid: child.pid ?? 0, ready };
}
