import { Failure } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import { arrivingEvent } from '../inbox.ts';
import type { BusServer } from '../strategy.ts';
import type { OpenConnection, Station } from './connection.ts';
import type { Topology } from './topology.ts';

/** Hears events as they happen, through a queue of this replica's own that goes with it. */
export class BroadcastListener implements Station {
  constructor(
    private readonly server: BusServer,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {}

  async setUp(connection: OpenConnection): Promise<void> {
    const channel = await connection.channel();
    await this.topology.declareExchanges(channel);
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true });
    for (const { name } of this.server.events('broadcast')) {
      await channel.bindQueue(queue, this.topology.events, name);
    }
    await channel.consume(
      queue,
      (message) => {
        if (message) void this.#hear(message.content);
        else connection.giveUp('the listener was cancelled');
      },
      { noAck: true },
    );
  }

  lost(): void {
    // What is missed is made up for by whoever listens to reconnects.
  }

  async #hear(content: Buffer): Promise<void> {
    try {
      await this.server.handle(arrivingEvent.parse(JSON.parse(content.toString('utf8'))));
    } catch (error) {
      this.log.error({ reason: Failure.from(error).message }, 'a broadcast could not be handled');
    }
  }
}
