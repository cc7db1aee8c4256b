import type { Logger } from '@registrar/platform';
import type { BusTransport } from '../transport.ts';
import { RabbitMqConnection } from './connection.ts';
import { EventPublisher } from './event-publisher.ts';
import { RabbitMqServer } from './rabbitmq-server.ts';
import { RabbitMqClient } from './request-client.ts';
import { type BusAccounts, Senders } from './senders.ts';
import { Topology } from './topology.ts';

/**
 * Creates a bus over RabbitMQ, 3.10 to 4.x. Each app that joins opens its own connection.
 *
 * An app starts only when the broker is reachable; until then it retries. When the connection is
 * lost later, requests fail with `unavailable` at once, events wait in the outbox, and the app
 * reconnects by itself, with pauses of at most 2 s. When the node of a request queue is away, callers
 * and replicas use a replacement of the queue (docs/decisions/0015-request-queues.md).
 *
 * @param options.url an `amqp` or `amqps` URL; its query parameter `heartbeat` (seconds) is 5 by default,
 * `cacertfile` and `server_name_indication` are for TLS ({@link brokerTls})
 * @param options.namespace prefix of every exchange's and queue's name, so that installations can
 * share a broker
 * @param options.accounts whether each app has an account, by which receivers know who sent a message
 */
export function rabbitMqTransport(options: {
  url: string;
  namespace: string;
  logger: Logger;
  accounts: BusAccounts;
}): BusTransport {
  const { url, namespace, accounts } = options;
  const topology = new Topology(namespace);
  return {
    join: (app) => {
      const senders = new Senders(app.name, url, accounts);
      if (accounts === 'shared') {
        app.logger.warn(
          'all apps share an account at RabbitMQ: who sent a message is not verified',
        );
      }
      const connection = new RabbitMqConnection(url, app.name, namespace, app.logger);
      const member = { ...app, connection, topology, senders };
      const publisher = new EventPublisher(member);
      const client = new RabbitMqClient(member, publisher);
      connection.add(client);
      return { client, server: new RabbitMqServer(member, client, publisher), connection };
    },
  };
}
