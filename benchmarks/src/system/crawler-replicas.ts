import { entryOf } from '@registrar/bootstrap';
import { busKeyFileSettings } from '@registrar/bus';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DistributedSystem } from './installation.ts';

/**
 * Starts more replicas of the crawler beside the one of a system, and waits until they run.
 *
 * @param settings those of the system's own replica
 */
export async function addCrawlerReplicas(
  resources: AsyncDisposableStack,
  { system }: DistributedSystem,
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (let number = 0; number < count; number += 1) {
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
        ...busKeyFileSettings(join(system.dataDirectory, 'bus-keys'), 'crawler'),
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: ['--enable-source-maps', '--max-semi-space-size=16'],
    });
    const exit = once(child, 'exit');
    resources.defer(async () => {
      child.kill();
      await exit;
    });
    const ended = exit.then(([code]) => {
      throw new Error(`the crawler ended with exit code ${String(code)}`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
  }
}
