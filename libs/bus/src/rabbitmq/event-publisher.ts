import { randomUUID } from 'node:crypto';
import { Failure } from '@registrar/contracts';
import type { ConfirmChannel, ConsumeMessage, Message, Options } from 'amqplib';
import { arrivingEvent, type OutgoingEvent } from '../event-message.ts';
import { assertSendable } from '../message-content.ts';
import type { RabbitMqConnection } from './connection.ts';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import type { Senders } from './senders.ts';
import type { Topology } from './topology.ts';

/** The header with the number of failed attempts of an event's handler. */
export const attemptsHeader = 'registrar-attempts';

/** Publishes events and moves failed ones to retry queues, with publisher confirms. */
export class EventPublisher implements ChannelOwner {
  readonly purpose = 'publishing events';
  readonly #returned = new Set<string>();
  #channel: ConfirmChannel | null = null;
  readonly #rejects = new Set<(failure: Failure) => void>();

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly topology: Topology,
    private readonly senders: Senders,
  ) {}

  async openChannel(opening: OpeningChannel): Promise<void> {
    const channel = await opening.confirmChannel();
    await this.topology.declareExchange(channel, this.topology.events);
    channel.on('return', (message: Message) =>
      this.#returned.add(
        deliveryKey(String(message.properties.messageId), message.fields.routingKey),
      ),
    );
    this.#channel = channel;
  }

  channelLost(): void {
    this.#channel = null;
    this.#returned.clear();
    const failure = new Failure('unavailable', 'the channel to RabbitMQ was lost');
    for (const reject of this.#rejects) reject(failure);
    this.#rejects.clear();
  }

  get usable(): boolean {
    return this.connection.usable && this.#channel !== null;
  }

  /**
   * Publishes the event to every subscriber and listener, and resolves when the broker has confirmed
   * it.
   *
   * @throws {Failure} `unavailable` when the broker is unreachable, or when a subscriber that has
   * never run has no queue yet; `internal` when the event is too large
   */
  async deliver(event: OutgoingEvent): Promise<void> {
    const { subscribers, listeners, ...arriving } = event;
    const text = JSON.stringify(arrivingEvent.parse(arriving));
    assertSendable(text, event.name);
    const content = Buffer.from(text);
    const publish = (app: string, mandatory: boolean) => {
      const key = this.topology.eventKey(event.name, app);
      const properties = { ...this.senders.own, mandatory };
      return this.#confirmed(event.messageId, key, (channel, options, done) =>
        channel.publish(this.topology.events, key, content, { ...options, ...properties }, done),
      );
    };
    await Promise.all([
      ...subscribers.map((app) => publish(app, true)),
      // A broadcast is not mandatory, because no replica of its listener may run.
      ...listeners.map((app) => publish(app, false)),
    ]);
  }

  /** Sends a received message to a retry queue. */
  async move(
    message: ConsumeMessage,
    queue: string,
    headers: Record<string, string | number>,
  ): Promise<void> {
    const messageId = (message.properties.messageId as string | undefined) ?? randomUUID();
    const properties = { ...this.senders.again(message), mandatory: true, headers };
    await this.#confirmed(messageId, queue, (channel, options, done) =>
      channel.sendToQueue(queue, message.content, { ...options, ...properties }, done),
    );
  }

  #confirmed(
    messageId: string,
    key: string,
    send: (
      channel: ConfirmChannel,
      options: Options.Publish,
      done: (error: unknown) => void,
    ) => void,
  ): Promise<void> {
    const channel = this.#requireChannel();
    return new Promise<void>((resolve, reject) => {
      this.#rejects.add(reject);
      send(channel, { messageId, persistent: true, contentType: 'application/json' }, (error) => {
        this.#rejects.delete(reject);
        const returned = this.#returned.delete(deliveryKey(messageId, key));
        if (error) reject(new Failure('unavailable', 'RabbitMQ rejected an event'));
        else if (returned) reject(new Failure('unavailable', 'no queue is bound for the event'));
        else resolve();
      });
    });
  }

  #requireChannel(): ConfirmChannel {
    this.connection.assertUsable();
    if (!this.#channel) throw new Failure('unavailable', 'RabbitMQ is unreachable');
    return this.#channel;
  }
}

/** Identifies one of the messages that carry an event. */
const deliveryKey = (messageId: string, key: string) => `${messageId} ${key}`;
