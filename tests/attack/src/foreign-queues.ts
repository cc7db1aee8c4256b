import type { ConfirmChannel } from 'amqplib';
import { contexts } from './forged-requests.ts';
import type { Intruder } from './intruder.ts';

/**
 * Tries to read, redirect, empty, replace and delete the queues of other apps.
 *
 * @param count of how many other apps
 * @returns what the broker permits
 */
export async function useForeignQueues(intruder: Intruder, count: number): Promise<string[]> {
  const { app, topology } = intruder;
  const violations: string[] = [];
  const others = contexts.filter((context) => context !== app).slice(0, count);
  for (const queue of others.flatMap((context) => topology.queuesOf(context))) {
    const attempts: Readonly<Record<string, (channel: ConfirmChannel) => unknown>> = {
      consume: (channel) => channel.consume(queue, () => undefined),
      purge: (channel) => channel.purgeQueue(queue),
      delete: (channel) => channel.deleteQueue(queue),
      bind: (channel) => channel.bindQueue(queue, topology.events, '#'),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      if (await intruder.isPermitted(attempt)) violations.push(`${app} may ${name} ${queue}`);
    }
  }
  const own = topology.broadcastQueue(app, 'intruder');
  for (const context of others) {
    for (const [exchange, key] of [
      [topology.requests, context],
      [topology.operator, context],
      [topology.events, `*.*.${context}`],
      [topology.events, '#'],
    ] as const) {
      const isPermitted = await intruder.isPermitted(async (channel) => {
        await channel.assertQueue(own, { autoDelete: true, expires: 60_000 });
        await channel.bindQueue(own, exchange, key);
      });
      if (isPermitted) violations.push(`${app} may receive copies of ${exchange} ${key}`);
    }
  }
  return violations;
}
