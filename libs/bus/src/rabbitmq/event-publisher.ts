import { Failure } from '@registrar/contracts';
import type { ConfirmChannel, ConsumeMessage, Message, Options } from 'amqplib';
import { arrivingEvent, type OutgoingEvent } from '../event-message.ts';
import { assertSendable } from '../message-content.ts';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import type { RabbitMqMember } from './rabbitmq-member.ts';

/** The header with the number of failed attempts of an event's handler. */
export const attemptsHeader = 'registrar-attempts';

/** A message is full at this number of events, or of characters. */
const maxEvents = 100;
const maxLength = 64 * 1024;

/** An event that is to be published in this turn of the event loop. */
interface WaitingEvent {
  readonly messageId: string;
  readonly text: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Publishes events and moves failed ones to retry queues, with publisher confirms. */
export class EventPublisher implements ChannelOwner {
  readonly purpose = 'publishing events';
  readonly #returned = new Set<string>();
  #channel: ConfirmChannel | null = null;
  /** By routing key. */
  readonly #waiting = new Map<string, WaitingEvent[]>();
  readonly #rejects = new Set<(failure: Failure) => void>();

  constructor(private readonly member: RabbitMqMember) {}

  async openChannel(opening: OpeningChannel): Promise<void> {
    const channel = await opening.confirmChannel();
    await this.member.topology.declareExchange(channel, this.member.topology.events);
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
    return this.member.connection.usable && this.#channel !== null;
  }

  /**
   * Publishes the event to every subscriber and listener, together with others of this turn of the event loop, and
   * resolves when the broker has confirmed it.
   *
   * @throws {Failure} `unavailable` when the broker is unreachable, or when a subscriber that has
   * never run has no queue yet; `internal` when the event is too large
   */
  async deliver(event: OutgoingEvent): Promise<void> {
    const { subscribers, listeners, ...arriving } = event;
    const text = JSON.stringify(arrivingEvent.parse(arriving));
    assertSendable(text, event.name);
    const { messageId } = event;
    const publish = (app: string, mandatory: boolean) =>
      this.#publishWithOthers(this.member.topology.eventKey(event.name, app), mandatory, {
        messageId,
        text,
      });
    await Promise.all([
      ...subscribers.map((app) => publish(app, true)),
      // A broadcast is not mandatory, because no replica of its listener may run.
      ...listeners.map((app) => publish(app, false)),
    ]);
  }

  /** Sends an event of a received message to a retry queue. */
  async move(
    message: ConsumeMessage,
    { messageId, content }: { readonly messageId: string; readonly content: Buffer },
    queue: string,
    headers: Record<string, string | number>,
  ): Promise<void> {
    const properties = { ...this.member.senders.again(message), mandatory: true, headers };
    await this.#confirmed(messageId, queue, (channel, options, done) =>
      channel.sendToQueue(queue, content, { ...options, ...properties }, done),
    );
  }

  #publishWithOthers(
    key: string,
    mandatory: boolean,
    event: Pick<WaitingEvent, 'messageId' | 'text'>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push({ ...event, resolve, reject });
      else {
        this.#waiting.set(key, [{ ...event, resolve, reject }]);
        setImmediate(() => this.#publishWaiting(key, mandatory));
      }
    });
  }

  #publishWaiting(key: string, mandatory: boolean): void {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    while (waiting.length > 0) void this.#publish(key, mandatory, takeMessage(waiting));
  }

  async #publish(key: string, mandatory: boolean, events: readonly WaitingEvent[]): Promise<void> {
    const [first, ...others] = events;
    if (!first) return;
    const texts = events.map(({ text }) => text);
    const content = Buffer.from(others.length > 0 ? `[${texts.join(',')}]` : first.text);
    const properties = { ...this.member.senders.own, mandatory };
    try {
      await this.#confirmed(first.messageId, key, (channel, options, done) =>
        channel.publish(
          this.member.topology.events,
          key,
          content,
          { ...options, ...properties },
          done,
        ),
      );
      for (const event of events) event.resolve();
    } catch (error) {
      for (const event of events) event.reject(error);
    }
  }

  async #confirmed(
    messageId: string,
    key: string,
    send: (
      channel: ConfirmChannel,
      options: Options.Publish,
      done: (error: unknown) => void,
    ) => void,
  ): Promise<void> {
    const channel = this.#requireChannel();
    await new Promise<void>((resolve, reject) => {
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
    this.member.connection.assertUsable();
    if (!this.#channel) throw new Failure('unavailable', 'RabbitMQ is unreachable');
    return this.#channel;
  }
}

/** Identifies one of the messages that carry an event. */
const deliveryKey = (messageId: string, key: string) => `${messageId} ${key}`;

/** Takes the events of one message: one of any length, or several that are not too long together. */
function takeMessage(waiting: WaitingEvent[]): WaitingEvent[] {
  let length = 0;
  const end = waiting.findIndex(({ text }, index) => {
    length += text.length;
    return index > 0 && (index === maxEvents || length > maxLength);
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
