import { randomUUID } from 'node:crypto';
import { Failure } from '#libs/contracts';
import type { ConfirmChannel, ConsumeMessage, Message, Options } from 'amqplib';
import { arrivingEvent, type OutgoingEvent } from '../inbox.ts';
import type { EventCarrier } from '../outbox-relay.ts';
import type { OpenConnection, RabbitMqConnection, Station } from './connection.ts';
import { assertSendable } from '../message-content.ts';
import type { Topology } from './topology.ts';

/** The header that counts the failures of an event's handler. */
export const attemptsHeader = 'registrar-attempts';

/** Publishes events, and moves those that failed; every publish is confirmed by the broker. */
export class EventPublisher implements Station, EventCarrier {
  readonly #returned = new Set<string>();
  #channel: ConfirmChannel | null = null;
  readonly #rejects = new Set<(failure: Failure) => void>();

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly topology: Topology,
  ) {}

  async setUp(connection: OpenConnection): Promise<void> {
    const channel = await connection.confirmChannel();
    await this.topology.declareExchanges(channel);
    channel.on('return', (message: Message) =>
      this.#returned.add(sending(String(message.properties.messageId), message.fields.routingKey)),
    );
    this.#channel = channel;
  }

  lost(): void {
    this.#channel = null;
    this.#returned.clear();
    const failure = new Failure('unavailable', 'the connection to RabbitMQ was lost');
    for (const reject of this.#rejects) reject(failure);
    this.#rejects.clear();
  }

  get usable(): boolean {
    return this.connection.usable;
  }

  /**
   * Resolves when the broker keeps the event for each of its subscribers. One that has never run
   * has no queue yet: then the event stays in the outbox.
   */
  async deliver(event: OutgoingEvent): Promise<void> {
    const { subscribers, ...arriving } = event;
    const text = JSON.stringify(arrivingEvent.parse(arriving));
    assertSendable(text, event.name);
    const publish = (key: string, mandatory: boolean) =>
      this.#confirmed(event.messageId, key, (channel, options, done) =>
        channel.publish(
          this.topology.events,
          key,
          Buffer.from(text),
          { ...options, mandatory },
          done,
        ),
      );
    await Promise.all([
      ...subscribers.map((context) => publish(this.topology.eventKey(event.name, context), true)),
      // Nobody may be listening.
      publish(this.topology.eventKey(event.name), false),
    ]);
  }

  /** Puts a message straight into a queue: a step of the ladder. */
  async move(
    message: ConsumeMessage,
    queue: string,
    headers: Record<string, string | number>,
  ): Promise<void> {
    const messageId = (message.properties.messageId as string | undefined) ?? randomUUID();
    await this.#confirmed(messageId, queue, (channel, options, done) =>
      channel.sendToQueue(queue, message.content, { ...options, mandatory: true, headers }, done),
    );
  }

  #confirmed(
    messageId: string,
    key: string,
    send: (
      channel: ConfirmChannel,
      options: Options.Publish,
      done: (refused: unknown) => void,
    ) => void,
  ): Promise<void> {
    const channel = this.#usable();
    return new Promise<void>((resolve, reject) => {
      this.#rejects.add(reject);
      send(channel, { messageId, persistent: true, contentType: 'application/json' }, (refused) => {
        this.#rejects.delete(reject);
        const returned = this.#returned.delete(sending(messageId, key));
        if (refused) reject(new Failure('unavailable', 'RabbitMQ refused an event'));
        else if (returned) reject(new Failure('unavailable', 'no queue takes the event'));
        else resolve();
      });
    });
  }

  #usable(): ConfirmChannel {
    this.connection.assertUsable();
    if (!this.#channel) throw new Failure('unavailable', 'RabbitMQ is away');
    return this.#channel;
  }
}

/** Names one of the messages that carry an event. */
const sending = (messageId: string, key: string) => `${messageId} ${key}`;
