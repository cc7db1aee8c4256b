import { BrokerCluster, DedicatedBroker } from '@registrar/testing';
import { type Channel, type ConsumeMessage, connect } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { callerCounts } from './bus.ts';
import { loneLatency, median, throughput } from '../measure.ts';

/** Sizes like those of a request for a page of courses and of its reply: bytes. */
const requestBytes = 600;
const replyBytes = 8 * 1024;

/** Number of measurements; the median counts. */
const rounds = 5;

const queueTypes = ['classic', 'quorum'] as const;
type QueueType = (typeof queueTypes)[number];

/**
 * Compares classic and quorum queues for requests, on one RabbitMQ node and on three. Prints a line for
 * each: the latency of single requests, and for each number of callers the throughput and the
 * processor time of the broker.
 */
export async function measureRequestQueues(say: (text: string) => void): Promise<void> {
  const node = await DedicatedBroker.start();
  try {
    for (const type of queueTypes) say(await measure(`one node, ${type}`, [node], type));
  } finally {
    await node.dispose();
  }
  const cluster = await BrokerCluster.start();
  try {
    for (const type of queueTypes) say(await measure(`three nodes, ${type}`, cluster.nodes, type));
  } finally {
    await cluster.dispose();
  }
}

async function measure(name: string, nodes: readonly DedicatedBroker[], type: QueueType) {
  // Caller and callee are connected to different nodes, if there are some.
  const server = await startServer(nodes.at(-1)!.url, type);
  const client = await startClient(nodes[0]!.url, server.queue);
  try {
    const call = () => client.request(Buffer.alloc(requestBytes));
    await throughput(callerCounts[1], call);
    const latency = await loneLatency(call);
    const loads: string[] = [];
    for (const callers of callerCounts) {
      const reached: number[] = [];
      const before = { requests: client.count, processorMs: await processorTime(nodes) };
      for (let round = 0; round < rounds; round += 1) reached.push(await throughput(callers, call));
      const processorMs = (await processorTime(nodes)) - before.processorMs;
      const each = (processorMs * 1_000) / (client.count - before.requests);
      loads.push(
        `${callers} callers ${median(reached).toFixed(0)}/s, broker ${each.toFixed(0)} µs each`,
      );
    }
    const times = `median ${latency.median.toFixed(2)} ms, p99 ${latency.p99.toFixed(2)} ms`;
    return `${name.padEnd(20)} ${times}; ${loads.join('; ')}`;
  } finally {
    await client.close();
    await server.close();
  }
}

/** The processor time that the nodes have used: milliseconds. */
async function processorTime(nodes: readonly DedicatedBroker[]): Promise<number> {
  const times = await Promise.all(
    nodes.map((node) => node.control('eval', 'element(1, statistics(runtime)).')),
  );
  return times.reduce((total, time) => total + Number(time), 0);
}

/** Replies to requests as the bus does: acknowledges, and replies to the caller's pseudo-queue. */
async function startServer(url: string, type: QueueType) {
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createChannel();
  const queue = `requests.${randomUUID()}`;
  await channel.assertQueue(queue, {
    durable: true,
    arguments: { 'x-queue-type': type, 'x-max-length': 2_000, 'x-overflow': 'reject-publish' },
  });
  await channel.prefetch(32);
  const reply = Buffer.alloc(replyBytes);
  await channel.consume(queue, (message) => {
    if (message) answer(channel, message, reply);
  });
  return { queue, close: () => connection.close() };
}

function answer(channel: Channel, message: ConsumeMessage, reply: Buffer): void {
  const { replyTo, correlationId } = message.properties as {
    replyTo: string;
    correlationId: string;
  };
  channel.publish('', replyTo, reply, { correlationId });
  channel.ack(message);
}

async function startClient(url: string, queue: string) {
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  const waiting = new Map<string, () => void>();
  const client = {
    count: 0,
    request: (content: Buffer) =>
      new Promise<void>((resolve) => {
        client.count += 1;
        const correlationId = String(client.count);
        waiting.set(correlationId, resolve);
        const options = { correlationId, mandatory: true, replyTo: 'amq.rabbitmq.reply-to' };
        channel.publish('', queue, content, { ...options, expiration: 30_000 });
      }),
    close: () => connection.close(),
  };
  await channel.consume(
    'amq.rabbitmq.reply-to',
    (message) => {
      const id = String(message?.properties.correlationId);
      waiting.get(id)?.();
      waiting.delete(id);
    },
    { noAck: true },
  );
  return client;
}
