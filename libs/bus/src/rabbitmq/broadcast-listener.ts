import { randomUUID } from 'node:crypto';
import type { Logger } from '#libs/platform';
import { broadcast } from '../broadcast.ts';
import { arrivingEvent } from '../inbox.ts';
import type { BusServer } from '../strategy.ts';
import type { OpenConnection, Station } from './connection.ts';
import { readJson } from '../message-content.ts';
import type { Topology } from './topology.ts';

/** Hears events as they happen, through a queue of this replica's own that goes with it. */
export class BroadcastListener implements Station {
  constructor(
    private readonly app: string,
    private readonly server: BusServer,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {}

  async setUp(connection: OpenConnection) {
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
          if (message) void this.#hear(message.content);
          else connection.giveUp('the listener was cancelled');
        },
        { noAck: true },
      );
    };
  }

  lost(): void {
    // What is missed is made up for by whoever listens to reconnects.
  }

  async #hear(content: Buffer): Promise<void> {
    const event = readJson(arrivingEvent, content);
    if (event) await broadcast({ server: this.server, logger: this.log }, event);
    else this.log.error('a broadcast is malformed');
  }
}
