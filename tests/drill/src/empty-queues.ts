import type { DedicatedBroker } from '@registrar/testing';
import { connect } from 'amqplib';

/** The queues that outlive the apps: events, retries and parked events of each context. */
const contexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];

/** Returns the number of messages in the queues of events. */
export async function countEvents(url: string, namespace: string): Promise<number> {
  const connection = await connect(url);
  try {
    const channel = await connection.createChannel();
    let messages = 0;
    for (const context of contexts) {
      messages += (await channel.checkQueue(`${namespace}.events.${context}`)).messageCount;
    }
    return messages;
  } finally {
    await connection.close();
  }
}

/**
 * Deletes every queue of the broker, as the operator does before the apps start on older data. The apps
 * declare their queues again. Queues of requests expire meanwhile: unlike rabbitmqctl, the protocol counts
 * the deletion of a queue that does not exist as done.
 */
export async function deleteQueues(
  broker: Pick<DedicatedBroker, 'url' | 'control'>,
): Promise<void> {
  const connection = await connect(broker.url);
  try {
    const channel = await connection.createChannel();
    const listed = await broker.control('list_queues', '--quiet', '--no-table-headers', 'name');
    for (const queue of listed.split('\n').filter(Boolean)) await channel.deleteQueue(queue);
  } finally {
    await connection.close();
  }
}
