import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A running baseline. */
export interface Baseline {
  readonly url: string;
  /** The process that serves HTTP, and the one behind it. */
  readonly pids: { readonly HTTP: number; readonly contexts?: number };
}

/** Starts the baseline bare on a database that a system has filled. */
export async function startBare(
  resources: AsyncDisposableStack,
  databaseUrl: string,
): Promise<Baseline> {
  const { url, pid } = await startProgram(resources, 'bare', { DATABASE_URL: databaseUrl });
  return { url, pids: { HTTP: pid } };
}

/** Starts the two processes of the baseline stock on a database that a system has filled. */
export async function startStock(
  resources: AsyncDisposableStack,
  databaseUrl: string,
  brokerUrl: string,
): Promise<Baseline> {
  const queue = { AMQP_URL: brokerUrl, STOCK_QUEUE: `stock-${randomUUID()}` };
  const service = await startProgram(resources, 'stock-service', {
    DATABASE_URL: databaseUrl,
    ...queue,
  });
  const { url, pid } = await startProgram(resources, 'stock', queue);
  return { url, pids: { HTTP: pid, contexts: service.pid } };
}

/** Starts a program of this folder as a process, with Node's defaults; it reports its URL when it is ready. */
export async function startProgram(
  resources: AsyncDisposableStack,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ url: string; pid: number }> {
  const child: ChildProcess = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...settings },
  });
  resources.defer(() => void child.kill());
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with exit code ${String(code)}`);
  });
  const [url] = (await Promise.race([once(child, 'message'), ended])) as [string];
  ended.catch(() => undefined);
  return { url, pid: child.pid ?? 0 };
}
