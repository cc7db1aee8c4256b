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
    const { messageId, name } = arriving;
    const text = JSON.stringify(arrivingEvent.parse(arriving));
    assertSendable(text, name);
    const publish = (app: string, mandatory: boolean) =>
      new Promise<void>((resolve, reject) => {
        const key = this.member.topology.eventKey(name, app);
        const waiting = this.#waiting.get(key) ?? [];
        if (waiting.length === 0) setImmediate(() => this.#publishWaiting(key, mandatory));
        waiting.push({ messageId, text, resolve, reject });
        this.#waiting.set(key, waiting);
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
    await this.#confirmed('', queue, content, { ...properties, messageId });
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
    const { senders, topology } = this.member;
    const { messageId } = first;
    try {
      await this.#confirmed(topology.events, key, content, {
        ...senders.own,
        mandatory,
        messageId,
      });
      for (const event of events) event.resolve();
    } catch (error) {
      for (const event of events) event.reject(error);
    }
  }

  async #confirmed(
    exchange: string,
    key: string,
    content: Buffer,
    given: Options.Publish & { readonly messageId: string },
  ): Promise<void> {
    this.member.connection.assertUsable();
    const channel = this.#channel;
    if (!channel) throw new Failure('unavailable', 'RabbitMQ is unreachable');
    const properties = { ...given, persistent: true, contentType: 'application/json' };
    await new Promise<void>((resolve, reject) => {
      this.#rejects.add(reject);
      channel.publish(exchange, key, content, properties, (error: unknown) => {
        this.#rejects.delete(reject);
        const returned = this.#returned.delete(deliveryKey(given.messageId, key));
        if (error) reject(new Failure('unavailable', 'RabbitMQ rejected an event'));
        else if (returned) reject(new Failure('unavailable', 'no queue is bound for the event'));
        else resolve();
      });
    });
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
