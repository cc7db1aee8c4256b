import { deleteNamespace } from '../testing/index.ts';
import { findBroker, testLogger } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { type Channel, connect } from 'amqplib';
import { randomBytes } from 'node:crypto';
import type { BusTransport } from '../transport.ts';
import { rabbitMqTransport } from './rabbitmq-transport.ts';
import { Topology } from './topology.ts';

const broker = await findBroker();

/** Declares a suite that needs RabbitMQ; skipped if none is reachable. */
export const describeWithBroker = (title: string, suite: (url: string) => void): void =>
  describeWith(broker, title, suite);

export type TestBroker = Awaited<ReturnType<typeof openTestBroker>>;

/** A bus namespace of the suite, and a channel to read and manipulate its queues. */
export async function openTestBroker(url: string) {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const { logger } = testLogger('bus');
  const connection = await connect(url);
  const channel: Channel = await connection.createChannel();
  return {
    channel,
    topology: new Topology(namespace),
    /** Creates a transport in the namespace, to `address` (such as a proxy's) if given. */
    transport: (address = url): BusTransport =>
      rabbitMqTransport({ url: address, namespace, logger, accounts: 'shared' }),
    close: async (): Promise<void> => {
      await connection.close();
      await deleteNamespace(url, namespace);
    },
  };
}
