import { busContexts } from '@registrar/contracts';
import { connect } from 'amqplib';
import { Topology } from '../rabbitmq/topology.ts';

/** Deletes the exchanges and durable queues of a bus namespace. */
export async function deleteNamespace(url: string, namespace: string): Promise<void> {
  const topology = new Topology(namespace);
  const connection = await connect(url);
  const channel = await connection.createChannel();
  for (const queue of busContexts.flatMap((context) => topology.queuesOf(context))) {
    await channel.deleteQueue(queue);
  }
  for (const exchange of topology.exchanges) {
    await channel.deleteExchange(exchange);
  }
  await connection.close();
}
