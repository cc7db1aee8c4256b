import { Topology } from '#libs/bus';
import { connect } from 'amqplib';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

/** How long nothing else is broken after the broker has come back: milliseconds. */
const quietTime = 10_000;

/** How long the system took after its broker took connections again: milliseconds. */
export interface Recovery {
  /** Until the last operation had failed; 0 when none did any more. */
  readonly errorsEnded: number;
  /** Until every queue of requests and events had a consumer; null when not in time. */
  readonly consumersBack: number | null;
}

const consuming = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];
/** Those that no context subscribes to have no event queue with a consumer. */
const subscribing = ['catalog', 'enrolment', 'crawler'];

/** Looks on while the system finds its broker again. */
export async function watchRecovery({ broker }: System, ledger: Ledger): Promise<Recovery> {
  if (!broker) throw new Error('there is no broker to come back');
  const begun = Date.now();
  const topology = new Topology(broker.namespace);
  const queues = [
    ...consuming.map((context) => topology.requestQueue(context)),
    ...subscribing.map((context) => topology.eventQueue(context)),
  ];
  let consumersBack: number | null = null;
  while (consumersBack === null && Date.now() < begun + quietTime) {
    if (await haveConsumers(broker.node.url, queues)) consumersBack = Date.now() - begun;
    else await pause(100);
  }
  await pause(Math.max(0, begun + quietTime - Date.now()));
  const late = ledger.errors.filter(({ endedAt }) => endedAt > begun);
  return { errorsEnded: Math.max(0, ...late.map(({ endedAt }) => endedAt - begun)), consumersBack };
}

async function haveConsumers(url: string, queues: readonly string[]): Promise<boolean> {
  const connection = await connect(url);
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    for (const queue of queues) {
      const { consumerCount } = await channel.checkQueue(queue);
      if (consumerCount === 0) return false;
    }
    return true;
  } catch {
    // A queue that is not declared again yet closes the channel.
    return false;
  } finally {
    await connection.close().catch(() => undefined);
  }
}
