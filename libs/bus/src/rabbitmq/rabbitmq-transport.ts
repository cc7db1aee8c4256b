import type { Logger } from '#libs/platform';
import { OutboxRelay } from '../outbox-relay.ts';
import type { BusEndpoint, BusTransport, JoiningApp } from '../transport.ts';
import { BroadcastListener } from './broadcast-listener.ts';
import { RabbitMqConnection } from './connection.ts';
import { EventConsumer } from './event-consumer.ts';
import { EventPublisher } from './event-publisher.ts';
import { RabbitMqClient } from './request-client.ts';
import { RequestServer } from './request-server.ts';
import { Topology } from './topology.ts';

/**
 * A bus over RabbitMQ, 3.10 to 4.x. Each app that joins has a connection of its own, which looks
 * after itself: an app neither ends nor hangs when the broker goes, and carries on when it is back.
 *
 * @param options.namespace begins every exchange's and queue's name, so that installations can
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
  { name, logger, metrics, database }: JoiningApp,
  url: string,
  topology: Topology,
): BusEndpoint {
  const connection = new RabbitMqConnection(url, name, logger);
  const client = new RabbitMqClient(connection, topology, metrics, logger);
  connection.add(client);
  const publisher = new EventPublisher(connection, topology);
  const relay = database && new OutboxRelay(database, publisher, logger);
  connection.onReconnect(() => relay?.kick());
  const drains: (() => Promise<void>)[] = [];

  return {
    client,
    get usable() {
      return connection.usable;
    },
    kick: () => relay?.kick(),
    onReconnect: (listener) => connection.onReconnect(listener),
    serve: async (server) => {
      if (database) connection.add(publisher);
      if (server.answers) {
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
