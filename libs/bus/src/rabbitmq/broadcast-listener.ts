import { randomUUID } from 'node:crypto';
import type { ConsumeMessage } from 'amqplib';
import type { BusServer } from '../bus-server.ts';
import type { ArrivingEvent } from '../event-message.ts';
import { MessageRejected, type RejectedMessages } from '../rejected-messages.ts';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import { receivedEvents, type Senders } from './senders.ts';
import type { Topology } from './topology.ts';

/** Receives broadcasts through an exclusive queue of this replica, deleted with its connection. */
export class BroadcastListener implements ChannelOwner {
  readonly purpose = 'broadcasts';

  constructor(
    private readonly app: string,
    private readonly server: BusServer,
    private readonly topology: Topology,
    private readonly senders: Senders,
    private readonly rejected: RejectedMessages,
  ) {}

  async openChannel(opening: OpeningChannel): Promise<void> {
    const channel = await opening.channel();
    await this.topology.declareExchange(channel, this.topology.events);
    const queue = this.topology.broadcastQueue(this.app, randomUUID());
    await channel.assertQueue(queue, { exclusive: true, autoDelete: true });
    for (const { name } of this.server.events('broadcast')) {
      const key = this.topology.eventKey(name, this.app);
      await channel.bindQueue(queue, this.topology.events, key);
    }
    await channel.consume(
      queue,
      (message) => {
        if (message) void this.#receive(message);
        else opening.reopen('the consumer was cancelled');
      },
      { noAck: true },
    );
  }

  channelLost(): void {
    // BusConnection.onReconnect reports that broadcasts may have been missed.
  }

  async #receive(message: ConsumeMessage): Promise<void> {
    const events = this.rejected.unlessRejected(() => this.#eventsOf(message)) ?? [];
    for (const event of events) {
      await this.server.dispatchBroadcast(event);
    }
  }

  /** @throws {MessageRejected} when the message has no events, or not of its sender */
  #eventsOf(message: ConsumeMessage): readonly ArrivingEvent[] {
    const events = receivedEvents(this.senders, message);
    if (!events) throw new MessageRejected('malformed', this.senders.senderOf(message));
    return events;
  }
}
