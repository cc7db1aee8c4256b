import { entryOf } from '@registrar/bootstrap';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DistributedSystem } from './installation.ts';

/**
 * Starts a replica of the crawler beside the one of a system, and waits until it runs.
 *
 * @param settings those of the system's own replica
 */
export async function startCrawlerReplica(
  { system }: DistributedSystem,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const child = fork(entryOf('crawler'), {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      DATABASE_URL: system.databaseUrl ?? '',
      AMQP_URL: system.brokerUrl ?? '',
      BUS_NAMESPACE: system.namespace ?? '',
      MASTER_KEY_FILE: join(system.dataDirectory, 'master.key'),
      MANAGEMENT_PORT: '0',
      BUS_ACCOUNTS: 'shared',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--max-semi-space-size=16'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the crawler ended with exit code ${String(code)}`);
  });
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return child;
}

/** Ends a replica, unless it has ended. */
export async function endCrawlerReplica(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** Starts several replicas, which end with the run. */
export async function addCrawlerReplicas(
  resources: AsyncDisposableStack,
  started: DistributedSystem,
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const child = await startCrawlerReplica(started, settings);
    resources.defer(() => endCrawlerReplica(child));
  }
}
