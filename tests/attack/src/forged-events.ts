import * as contracts from '@registrar/contracts';
import type { Context, EventContract } from '@registrar/contracts';
import { randomUUID } from 'node:crypto';
import type { Intruder } from './intruder.ts';
import { expectRejected } from './rejected-messages.ts';
import type { Target } from './target.ts';

const exported: readonly unknown[] = Object.values(contracts);

/** Every event of the contracts. */
export const allEvents: readonly EventContract[] = exported.filter(
  (each): each is EventContract => (each as Partial<EventContract>).kind === 'event',
);

/**
 * Sends events of other contexts to the queues of their subscribers.
 *
 * @returns violations: events that the broker permits, or that were not counted as rejected
 */
export async function sendForgedEvents(target: Target, intruder: Intruder): Promise<string[]> {
  const { app, topology, connection } = intruder;
  const forged = allEvents
    .filter(({ context }) => context !== app)
    .flatMap(({ name, subscribers }) => subscribers.map((subscriber) => ({ name, subscriber })));
  const violations: string[] = [];
  for (const { name, subscriber } of forged) {
    const key = topology.eventKey(name, subscriber);
    const publish = await intruder.isPermitted((channel) =>
      channel.publish(topology.events, key, Buffer.from('{}')),
    );
    if (publish) violations.push(`the broker permits ${app} to publish ${name}`);
  }
  const reachesQueues = await intruder.isPermitted((channel) =>
    channel.sendToQueue(topology.eventQueue('identity'), Buffer.from('{}')),
  );
  if (!reachesQueues) return violations;
  const channel = await connection.createChannel();
  const counted = await expectRejected(target, `forged events of ${app}`, async () => {
    for (const { name, subscriber } of forged) {
      for (const { content, headers } of forgeries(intruder, name, subscriber)) {
        channel.sendToQueue(topology.eventQueue(subscriber), content, { headers });
      }
    }
    return forged.length * 3;
  });
  await channel.close();
  return [...violations, ...counted];
}

/** An event: unsigned, changed, and authentic but of another context. */
function forgeries(intruder: Intruder, name: string, subscriber: Context) {
  const event = { messageId: randomUUID(), name, payload: {}, requestId: 'attack' };
  const content = Buffer.from(JSON.stringify(event));
  return [
    {},
    intruder.sign('event', subscriber, Buffer.from('{}')),
    intruder.sign('event', subscriber, content),
  ].map((headers) => ({ content, headers }));
}
