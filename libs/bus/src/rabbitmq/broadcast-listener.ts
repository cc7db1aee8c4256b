import { randomUUID } from 'node:crypto';
import type { ConsumeMessage } from 'amqplib';
import type { BusServer } from '../bus-server.ts';
import type { ArrivingEvent } from '../event-message.ts';
import { MessageRejected } from '../rejected-messages.ts';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import type { RabbitMqMember } from './rabbitmq-member.ts';
import { receivedEvents } from './senders.ts';

/** Receives broadcasts through an exclusive queue of this replica, deleted with its connection. */
export class BroadcastListener implements ChannelOwner {
  readonly purpose = 'broadcasts';

  constructor(
    private readonly member: RabbitMqMember,
    private readonly server: BusServer,
  ) {}

  async openChannel(opening: OpeningChannel): Promise<void> {
    const { name: app, topology } = this.member;
    const channel = await opening.channel();
    await topology.declareExchange(channel, topology.events);
    const queue = topology.broadcastQueue(app, randomUUID());
    await channel.assertQueue(queue, { exclusive: true, autoDelete: true });
    for (const { name } of this.server.events('broadcast')) {
      await channel.bindQueue(queue, topology.events, topology.eventKey(name, app));
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
    try {
      for (const event of this.#eventsOf(message)) await this.server.dispatchBroadcast(event);
    } catch (error) {
      this.member.rejected.report(error);
    }
  }

  /** @throws {MessageRejected} when the message has no events, or not of its sender */
  #eventsOf(message: ConsumeMessage): readonly ArrivingEvent[] {
    const { senders } = this.member;
    const events = receivedEvents(senders, message);
    if (!events) throw new MessageRejected('malformed', senders.senderOf(message));
    return events;
  }
}
