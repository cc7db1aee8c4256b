import * as contracts from '@registrar/contracts';
import type { EventContract } from '@registrar/contracts';
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
    .flatMap(({ name, subscribers }) => subscribers.map((subscriber) => ({ name, subscriber })))
    // An intruder that has the account of an app can deceive that app.
    .filter(({ subscriber }) => subscriber !== app);
  const violations: string[] = [];
  for (const { name, subscriber } of forged) {
    const key = topology.eventKey(name, subscriber);
    const publish = await intruder.isPermitted((channel) =>
      channel.publish(topology.events, key, Buffer.from('{}')),
    );
    if (publish) violations.push(`the broker permits ${app} to publish ${name}`);
  }
  const publisher = allEvents.find(({ context }) => context !== app)?.context;
  const asPublisher = await intruder.isPermitted((channel) =>
    channel.sendToQueue(topology.eventQueue(app), Buffer.from('{}'), { userId: publisher }),
  );
  if (asPublisher) violations.push(`the broker lets ${app} publish as ${publisher}`);
  const reachesQueues = await intruder.isPermitted((channel) =>
    channel.sendToQueue(topology.eventQueue('identity'), Buffer.from('{}')),
  );
  if (!reachesQueues) return violations;
  const channel = await connection.createChannel();
  const counted = await expectRejected(target, `forged events of ${app}`, async () => {
    for (const { name, subscriber } of forged) {
      const event = { messageId: randomUUID(), name, payload: {}, requestId: 'attack' };
      const content = Buffer.from(JSON.stringify(event));
      // Without an account, as the intruder, and as the intruder that claims to be the publisher.
      const publisher = name.slice(0, name.indexOf('.'));
      for (const properties of [{}, intruder.own, { ...intruder.own, appId: publisher }]) {
        channel.sendToQueue(topology.eventQueue(subscriber), content, properties);
      }
    }
    return forged.length * 3;
  });
  await channel.close();
  return [...violations, ...counted];
}
