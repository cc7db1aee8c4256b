import { Failure } from '@registrar/contracts';
import type { Logger } from '@registrar/platform';
import type { BusKeys } from '../authentication/bus-keys.ts';
import { authenticEvent } from '../authentication/authentic-event.ts';
import { MessageAuthenticator, MessageRejected } from '../authentication/message-authenticator.ts';
import { RejectedMessages } from '../authentication/rejected-messages.ts';
import { OutboxRelay } from '../outbox-relay.ts';
import { BoundedQueue } from '../bounded-queue.ts';
import type { BusEndpoint, BusTransport, BusMember } from '../transport.ts';
import { BroadcastListener } from './broadcast-listener.ts';
import { RabbitMqConnection } from './connection.ts';
import { EventConsumer } from './event-consumer.ts';
import { EventPublisher } from './event-publisher.ts';
import { RabbitMqClient } from './request-client.ts';
import { ReplyBatches } from './reply-batches.ts';
import { RequestServer } from './request-server.ts';
import { requestRoutes, Topology } from './topology.ts';

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
 * @param options.keysOf the keys of an app that joins, by which it authenticates its messages
 */
export function rabbitMqTransport(options: {
  url: string;
  namespace: string;
  logger: Logger;
  keysOf: (app: string) => BusKeys;
}): BusTransport {
  const topology = new Topology(options.namespace);
  return {
    join: (app) => {
      const authenticator = new MessageAuthenticator(app.name, options.keysOf(app.name));
      return joinRabbitMq(app, options.url, topology, authenticator);
    },
  };
}

function joinRabbitMq(
  { name, logger, metrics, database }: BusMember,
  url: string,
  topology: Topology,
  authenticator: MessageAuthenticator,
): BusEndpoint {
  const connection = new RabbitMqConnection(url, name, topology.namespace, logger);
  const rejected = new RejectedMessages(metrics, logger);
  const client = new RabbitMqClient(
    name,
    connection,
    topology,
    authenticator,
    rejected,
    metrics,
    logger,
  );
  connection.add(client);
  const publisher = new EventPublisher(connection, topology, authenticator);
  const relay = database && new OutboxRelay(database, publisher, logger);
  connection.onReconnect(() => relay?.relayNow());
  const drains: (() => Promise<void>)[] = [];

  return {
    client,
    get faults() {
      return connection.faults;
    },
    relayNow: () => relay?.relayNow(),
    onReconnect: (listener) => connection.onReconnect(listener),
    serve: async (server) => {
      if (database) connection.add(publisher);
      const queue = new BoundedQueue(() => metrics.countRejection('overloaded'));
      const replies = new ReplyBatches(authenticator);
      const servers = (server.handlesRequests ? requestRoutes : []).map(
        (route) =>
          new RequestServer(
            name,
            route,
            server,
            queue,
            topology,
            replies,
            authenticator,
            rejected,
            logger,
          ),
      );
      if (server.handlesRequests) connection.add(replies);
      for (const { consumers } of servers)
        for (const consumer of consumers) connection.add(consumer);
      drains.push(async () => {
        // A server that still received could receive the requests again that it returns.
        await Promise.all(servers.map((requests) => requests.stopReceiving()));
        queue.close();
        await Promise.all(servers.map((requests) => requests.finish()));
        replies.flush();
      });
      if (database && server.events('once').length > 0) {
        const events = new EventConsumer(
          name,
          server,
          database,
          publisher,
          topology,
          authenticator,
          rejected,
          logger,
        );
        connection.add(events);
        drains.push(() => events.drain());
      }
      if (server.events('broadcast').length > 0) {
        connection.add(
          new BroadcastListener(name, server, topology, authenticator, rejected, logger),
        );
      }
      await connection.open();
      relay?.start();
    },
    drain: async () => {
      await Promise.all(drains.map((drain) => drain()));
      await relay?.stop();
    },
    verifyParked: ({ content, authentication: headers }) => {
      try {
        const fields = { redelivered: true };
        return authenticEvent(authenticator, { content, fields, properties: { headers } });
      } catch (error) {
        if (!(error instanceof MessageRejected)) throw error;
        throw new Failure('invalid', `the message cannot be verified: ${error.reason}`);
      }
    },
    close: () => connection.close(),
  };
}
