import { BoundedQueue } from '../bounded-queue.ts';
import type { BusClient } from '../bus-client.ts';
import { BusServer } from '../bus-server.ts';
import { BroadcastListener } from './broadcast-listener.ts';
import { EventConsumer } from './event-consumer.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { RabbitMqMember } from './rabbitmq-member.ts';
import { ReplyBatches } from './reply-batches.ts';
import { RequestServer } from './request-server.ts';
import { requestRoutes } from './topology.ts';

/** Calls the handlers of an app with the messages in its queues at RabbitMQ. */
export class RabbitMqServer extends BusServer {
  readonly #drains: (() => Promise<void>)[] = [];
  #requests: RequestServer | null = null;

  constructor(
    protected override readonly member: RabbitMqMember,
    client: BusClient,
    private readonly publisher: EventPublisher,
  ) {
    super(member, client);
    member.connection.onReconnect(() => this.relay?.relayNow());
  }

  protected async serve(): Promise<void> {
    const { connection, database } = this.member;
    connection.add(this.publisher);
    if (this.handlesRequests) this.#serveRequests();
    if (database && this.events('once').length > 0) {
      const events = new EventConsumer(this.member, this, database, this.publisher);
      connection.add(events);
      this.#drains.push(() => events.drain());
    }
    if (this.events('broadcast').length > 0) {
      connection.add(new BroadcastListener(this.member, this));
    }
    await connection.open();
  }

  #serveRequests(): void {
    const { connection, metrics, senders } = this.member;
    const queue = new BoundedQueue(() => metrics.countRejection('overloaded'));
    const replies = new ReplyBatches(senders);
    const servers = requestRoutes.map(
      (route) => new RequestServer(this.member, this, route, queue, replies),
    );
    this.#requests = servers[requestRoutes.indexOf('requests')] ?? null;
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

  override async waitingMessages(): Promise<number | null> {
    return (await this.#requests?.waitingMessages()) ?? null;
  }

  protected async drain(): Promise<void> {
    await Promise.all(this.#drains.map((drain) => drain()));
  }
}
