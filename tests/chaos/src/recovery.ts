import { Topology } from '@registrar/bus';
import { connect } from 'amqplib';
import { eventually } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

/** Time without other faults after a restart of the broker in milliseconds. */
const observationMs = 10_000;

/** Recovery times after the broker accepts connections again, in milliseconds. */
export interface Recovery {
  /** Time of the last failed operation; 0 without any. */
  readonly errorsEndedMs: number;
  /** Time when every request and event queue had a consumer; null if that took too long. */
  readonly consumersBackMs: number | null;
}

const contexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];
/** The contexts that subscribe to events; only their event queues have a consumer. */
const subscribers = ['catalog', 'enrolment', 'crawler'];

/** Measures how the system recovers after a restart of the broker. */
export async function measureRecovery({ broker }: System, ledger: Ledger): Promise<Recovery> {
  if (!broker) throw new Error('this form of the system has no broker');
  const begun = Date.now();
  const topology = new Topology(broker.namespace);
  const queues = [
    ...contexts.map((context) => topology.requestQueue(context)),
    ...subscribers.map((context) => topology.eventQueue(context)),
  ];
  const consumersBackMs = await eventually(
    'every queue has a consumer',
    async () => (await haveConsumers(broker.url, queues)) && Date.now() - begun,
    { timeoutMs: observationMs, intervalMs: 100 },
  ).catch(() => null);
  await pause(Math.max(0, begun + observationMs - Date.now()));
  const late = ledger.errors.filter(({ endedAt }) => endedAt > begun);
  return {
    errorsEndedMs: Math.max(0, ...late.map(({ endedAt }) => endedAt - begun)),
    consumersBackMs,
  };
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
    // Checking a queue that is not declared again yet closes the channel.
    return false;
  } finally {
    await connection.close().catch(() => undefined);
  }
}
