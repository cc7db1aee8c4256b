import { randomUUID } from 'node:crypto';
import { Failure } from '#libs/contracts';
import type { ConfirmChannel, ConsumeMessage, Message, Options } from 'amqplib';
import { arrivingEvent, type OutgoingEvent } from '../inbox.ts';
import type { EventCarrier } from '../outbox-relay.ts';
import type { OpenConnection, RabbitMqConnection, Station } from './connection.ts';
import { assertSendable } from './message-content.ts';
import type { Topology } from './topology.ts';

/** The header that counts the failures of an event's handler. */
export const attemptsHeader = 'registrar-attempts';
/** The header that says why an event was parked. */
export const reasonHeader = 'registrar-reason';

/** Publishes events, and moves those that failed; every publish is confirmed by the broker. */
export class EventPublisher implements Station, EventCarrier {
  readonly #declared = new Map<string, Promise<unknown>>();
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
      this.#returned.add(String(message.properties.messageId)),
    );
    this.#channel = channel;
  }

  lost(): void {
    this.#channel = null;
    this.#declared.clear();
    this.#returned.clear();
    const failure = new Failure('unavailable', 'the connection to RabbitMQ was lost');
    for (const reject of this.#rejects) reject(failure);
    this.#rejects.clear();
  }

  get usable(): boolean {
    return this.connection.usable;
  }

  /** Resolves when the broker keeps the event for each of its subscribers. */
  async deliver(event: OutgoingEvent): Promise<void> {
    const { subscribers, ...arriving } = event;
    for (const context of subscribers) await this.#declare(event.name, context);
    const text = JSON.stringify(arrivingEvent.parse(arriving));
    assertSendable(text, event.name);
    // One that nobody must handle may have no queue to go to.
    const mandatory = subscribers.length > 0;
    await this.#confirmed(event.messageId, (channel, options, done) =>
      channel.publish(
        this.topology.events,
        event.name,
        Buffer.from(text),
        { ...options, mandatory },
        done,
      ),
    );
  }

  /** Puts a message straight into a queue: a step of the ladder, or the place to park. */
  async move(
    message: ConsumeMessage,
    queue: string,
    headers: Record<string, string | number>,
  ): Promise<void> {
    const messageId = (message.properties.messageId as string | undefined) ?? randomUUID();
    await this.#confirmed(messageId, (channel, options, done) =>
      channel.sendToQueue(queue, message.content, { ...options, mandatory: true, headers }, done),
    );
  }

  /** So that what is published before a consumer first runs waits for it. */
  async #declare(name: string, context: string): Promise<void> {
    const key = `${context} ${name}`;
    let declared = this.#declared.get(key);
    if (!declared) {
      const channel = this.#usable();
      declared = this.topology
        .declareEventQueues(channel, context)
        .then((queue) => channel.bindQueue(queue, this.topology.events, name));
      this.#declared.set(key, declared);
    }
    await declared;
  }

  #confirmed(
    messageId: string,
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
        const returned = this.#returned.delete(messageId);
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
