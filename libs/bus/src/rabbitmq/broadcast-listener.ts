import { randomUUID } from 'node:crypto';
import type { Logger } from '@registrar/platform';
import { handleBroadcast } from '../handle-broadcast.ts';
import { arrivingEvent } from '../inbox.ts';
import type { BusServer } from '../bus-server.ts';
import type { OpenConnection, ChannelOwner } from './connection.ts';
import { readJson } from '../message-content.ts';
import type { Topology } from './topology.ts';

/** Receives broadcasts through an exclusive queue of this replica, deleted with its connection. */
export class BroadcastListener implements ChannelOwner {
  constructor(
    private readonly app: string,
    private readonly server: BusServer,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {}

  async openChannels(connection: OpenConnection) {
    const channel = await connection.channel();
    await this.topology.declareExchanges(channel);
    const queue = this.topology.broadcastQueue(this.app, randomUUID());
    await channel.assertQueue(queue, { exclusive: true, autoDelete: true });
    for (const { name } of this.server.events('broadcast')) {
      await channel.bindQueue(queue, this.topology.events, this.topology.eventKey(name));
    }
    return async () => {
      await channel.consume(
        queue,
        (message) => {
          if (message) void this.#receive(message.content);
          else connection.reconnect('the consumer of broadcasts was cancelled');
        },
        { noAck: true },
      );
    };
  }

  connectionLost(): void {
    // BusConnection.onReconnect tells the app that broadcasts may have been missed.
  }

  async #receive(content: Buffer): Promise<void> {
    const event = readJson(arrivingEvent, content);
    if (event) await handleBroadcast({ server: this.server, logger: this.log }, event);
    else this.log.error('a malformed broadcast was dropped');
  }
}
