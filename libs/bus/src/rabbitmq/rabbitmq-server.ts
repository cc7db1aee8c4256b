import { BoundedQueue } from '../bounded-queue.ts';
import type { BusMember } from '../bus-member.ts';
import { BusServer } from '../bus-server.ts';
import { BroadcastListener } from './broadcast-listener.ts';
import type { RabbitMqConnection } from './connection.ts';
import { EventConsumer } from './event-consumer.ts';
import type { EventPublisher } from './event-publisher.ts';
import { ReplyBatches } from './reply-batches.ts';
import { RequestServer } from './request-server.ts';
import type { Senders } from './senders.ts';
import { requestRoutes, type Topology } from './topology.ts';

/** Calls the handlers of an app with the messages in its queues at RabbitMQ. */
export class RabbitMqServer extends BusServer {
  readonly #drains: (() => Promise<void>)[] = [];

  constructor(
    member: BusMember,
    private readonly connection: RabbitMqConnection,
    private readonly topology: Topology,
    private readonly senders: Senders,
    private readonly publisher: EventPublisher,
    private readonly startRelay: () => void,
  ) {
    super(member);
  }

  protected async serve(): Promise<void> {
    const { connection, topology, senders, publisher } = this;
    const { name, database, rejected, logger } = this.member;
    if (database) connection.add(publisher);
    if (this.handlesRequests) this.#serveRequests();
    if (database && this.events('once').length > 0) {
      const events = new EventConsumer(
        name,
        this,
        database,
        publisher,
        topology,
        senders,
        rejected,
        logger,
      );
      connection.add(events);
      this.#drains.push(() => events.drain());
    }
    if (this.events('broadcast').length > 0) {
      connection.add(new BroadcastListener(name, this, topology, senders, rejected));
    }
    await connection.open();
    this.startRelay();
  }

  #serveRequests(): void {
    const { connection, topology, senders } = this;
    const { name, metrics, rejected, logger } = this.member;
    const queue = new BoundedQueue(() => metrics.countRejection('overloaded'));
    const replies = new ReplyBatches(senders);
    const servers = requestRoutes.map(
      (route) =>
        new RequestServer(name, route, this, queue, topology, replies, senders, rejected, logger),
    );
    connection.add(replies);
    for (const { consumers } of servers) for (const consumer of consumers) connection.add(consumer);
    this.#drains.push(async () => {
      // A server that still received could receive the requests again that it returns.
      await Promise.all(servers.map((requests) => requests.stopReceiving()));
      queue.close();
      await Promise.all(servers.map((requests) => requests.finish()));
      replies.flush();
    });
  }

  protected async drain(): Promise<void> {
    await Promise.all(this.#drains.map((drain) => drain()));
  }
}
