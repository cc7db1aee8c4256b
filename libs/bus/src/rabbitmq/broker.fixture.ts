import { describe, it } from '@jest/globals';
import { brokerForTests, deleteNamespace, testLogger } from '#libs/testing';
import { type Channel, connect } from 'amqplib';
import { randomBytes } from 'node:crypto';
import type { BusTransport } from '../transport.ts';
import { rabbitMqTransport } from './rabbitmq-transport.ts';
import { Topology } from './topology.ts';

const brokerUrl = await brokerForTests();

/** A suite that needs RabbitMQ. Where there is none, a single test stands for it. */
export function describeWithBroker(name: string, suite: (url: string) => void): void {
  describe(name, () => {
    if (brokerUrl) suite(brokerUrl);
    else it('is left out where no RabbitMQ answers', () => undefined);
  });
}

export type TestBroker = Awaited<ReturnType<typeof openTestBroker>>;

/** A part of the broker of a suite's own, and a channel to look into it and to meddle with it. */
export async function openTestBroker(url: string) {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const { logger } = testLogger('bus');
  const connection = await connect(url);
  const channel: Channel = await connection.createChannel();
  return {
    channel,
    topology: new Topology(namespace),
    /** A transport to it, by way of `address` if that is given. */
    transport: (address = url): BusTransport =>
      rabbitMqTransport({ url: address, namespace, logger }),
    close: async (): Promise<void> => {
      await connection.close();
      await deleteNamespace(url, namespace);
    },
  };
}
