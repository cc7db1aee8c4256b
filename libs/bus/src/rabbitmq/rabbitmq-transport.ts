import type { Logger } from '@registrar/platform';
import { OutboxRelay } from '../outbox-relay.ts';
import type { BusEndpoint, BusTransport, BusMember } from '../transport.ts';
import { BroadcastListener } from './broadcast-listener.ts';
import { RabbitMqConnection } from './connection.ts';
import { EventConsumer } from './event-consumer.ts';
import { EventPublisher } from './event-publisher.ts';
import { RabbitMqClient } from './request-client.ts';
import { RequestServer } from './request-server.ts';
import { Topology } from './topology.ts';

/**
 * Creates a bus over RabbitMQ, 3.10 to 4.x. Each app that joins opens its own connection.
 *
 * An app starts only when the broker is reachable; until then it retries. When the connection is
 * lost later, requests fail with `unavailable` at once, events wait in the outbox, and the app
 * reconnects by itself, with pauses of at most 2 s.
 *
 * @param options.url an `amqp` or `amqps` URL; its query parameter `heartbeat` (seconds) is 5 by default
 * @param options.namespace prefix of every exchange's and queue's name, so that installations can
 * share a broker
 */
export function rabbitMqTransport(options: {
  url: string;
  namespace: string;
  logger: Logger;
}): BusTransport {
  const topology = new Topology(options.namespace);
  return { join: (app) => joinRabbitMq(app, options.url, topology) };
}

function joinRabbitMq(
  { name, logger, metrics, database }: BusMember,
  url: string,
  topology: Topology,
): BusEndpoint {
  const connection = new RabbitMqConnection(url, name, logger);
  const client = new RabbitMqClient(connection, topology, metrics, logger);
  connection.add(client);
  const publisher = new EventPublisher(connection, topology);
  const relay = database && new OutboxRelay(database, publisher, logger);
  connection.onReconnect(() => relay?.relayNow());
  const drains: (() => Promise<void>)[] = [];

  return {
    client,
    get usable() {
      return connection.usable;
    },
    relayNow: () => relay?.relayNow(),
    onReconnect: (listener) => connection.onReconnect(listener),
    serve: async (server) => {
      if (database) connection.add(publisher);
      if (server.handlesRequests) {
        const requests = new RequestServer(name, server, topology, logger);
        connection.add(requests);
        drains.push(() => requests.drain());
      }
      if (database && server.events('once').length > 0) {
        const events = new EventConsumer(name, server, database, publisher, topology, logger);
        connection.add(events);
        drains.push(() => events.drain());
      }
      if (server.events('broadcast').length > 0) {
        connection.add(new BroadcastListener(name, server, topology, logger));
      }
      await connection.open();
      relay?.start();
    },
    drain: async () => {
      await Promise.all(drains.map((drain) => drain()));
      await relay?.stop();
    },
    close: () => connection.close(),
  };
}
