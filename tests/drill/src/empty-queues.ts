import type { DedicatedBroker } from '@registrar/testing';
import { connect } from 'amqplib';

/** The queues that outlive the apps: events, retries and parked events of each context. */
const contexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];

/**
 * Deletes every queue of the broker, as the operator does before the apps start on older data. The apps
 * declare their queues again.
 *
 * @returns the number of messages that were in the queues of events
 */
export async function deleteQueues(broker: DedicatedBroker, namespace: string): Promise<number> {
  const connection = await connect(broker.url);
  try {
    const channel = await connection.createChannel();
    let messages = 0;
    for (const context of contexts) {
      messages += (await channel.checkQueue(`${namespace}.events.${context}`)).messageCount;
    }
    const listed = await broker.control('list_queues', '--quiet', '--no-table-headers', 'name');
    for (const queue of listed.split('\n').filter(Boolean))
      await broker.control('delete_queue', queue);
    return messages;
  } finally {
    await connection.close();
  }
}
