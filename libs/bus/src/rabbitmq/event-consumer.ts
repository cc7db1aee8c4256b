import { Failure } from '@registrar/contracts';
import { type Database, DatabaseUnavailable } from '@registrar/persistence';
import { clock, logFailedWork, runInRequestContext } from '@registrar/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import { type ArrivingEvent, arrivingEvents } from '../event-message.ts';
import { Inbox } from '../inbox.ts';
import { readJson } from '../message-content.ts';
import { parkMessage, type UnhandledMessage } from '../parked-events.ts';
import { MessageRejected } from '../rejected-messages.ts';
import { nextAttempt } from '../retry-ladder.ts';
import type { BusServer } from '../bus-server.ts';
import { attemptsHeader, type EventPublisher } from './event-publisher.ts';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import type { RabbitMqMember } from './rabbitmq-member.ts';
import { receivedEvents } from './senders.ts';

/** An arrived message. */
interface Arrival {
  readonly message: ConsumeMessage;
  /** The events that are neither handled nor postponed nor parked; null for a message that has none. */
  readonly events: Set<ArrivingEvent> | null;
  /** Returns a message with nothing but the event. */
  partOf(event: ArrivingEvent): MessageOfEvent;
  /** Why the message is parked as soon as it has arrived; null for one that is handled. */
  readonly unusable: string | null;
}

type MessageOfEvent = Pick<UnhandledMessage, 'event' | 'content'> & { readonly messageId: string };

/** The number of messages whose events a replica handles at a time. */
const prefetch = 32;

/** The pause between two attempts while the database is unavailable: milliseconds. */
const databaseRetryMs = 1_000;

/**
 * Handles the events of a context, each once. An event whose handler fails passes through the retry
 * queues, whose delays grow, and is parked in the context's database after the last one; each event of a
 * message is retried and parked by itself. A message that is not an event, or that the broker dead-lettered,
 * is parked at once; so is one from an account that is not an app's, because accounts may have been renamed
 * while it waited. A message without an account, or not from the context of its event, is dropped. While the
 * database is unavailable, the consumer keeps the events it has received, and prefetch admits no others.
 */
export class EventConsumer implements ChannelOwner {
  readonly #inbox: Inbox;
  readonly #running = new Set<Promise<void>>();
  readonly #drain = new AbortController();
  #channel: Channel | null = null;
  #consumerTags: string[] = [];

  constructor(
    private readonly member: RabbitMqMember,
    private readonly server: BusServer,
    private readonly database: Database,
    private readonly publisher: EventPublisher,
  ) {
    this.#inbox = new Inbox(database, server);
  }

  get purpose(): string {
    return this.member.topology.eventQueue(this.member.name);
  }

  isNeeded(): boolean {
    return !this.#drain.signal.aborted;
  }

  async openChannel(opening: OpeningChannel): Promise<void> {
    const { name: context, topology } = this.member;
    const channel = await opening.channel();
    await topology.declareExchange(channel, topology.events);
    const queue = await topology.declareEventQueues(channel, context);
    for (const { name } of this.server.events('once')) {
      await channel.bindQueue(queue, topology.events, topology.eventKey(name, context));
    }
    await channel.prefetch(prefetch);
    this.#channel = channel;
    this.#consumerTags = [];
    const deadLetterQueue = topology.parkedQueue(context);
    const consumers = [
      [queue, (arrival: Arrival) => this.#handle(arrival)],
      [
        deadLetterQueue,
        (arrival: Arrival) =>
          this.#parkAll(arrival, 0, 'the broker dead-lettered it: too many deliveries'),
      ],
    ] as const;
    for (const [source, process] of consumers) {
      const { consumerTag } = await channel.consume(source, (message) => {
        if (message) this.#take(opening, channel, message, process);
        else opening.reopen(`the consumer of ${source} was cancelled`);
      });
      this.#consumerTags.push(consumerTag);
    }
  }

  channelLost(): void {
    this.#channel = null;
  }

  /** Receives no more events and resolves when the received ones are handled. */
  async drain(): Promise<void> {
    this.#drain.abort();
    for (const tag of this.#consumerTags) {
      // If the connection goes meanwhile, so does the consumer.
      await this.#channel?.cancel(tag).catch(() => undefined);
    }
    await Promise.all(this.#running);
  }

  #take(
    opening: OpeningChannel,
    channel: Channel,
    message: ConsumeMessage,
    process: (arrival: Arrival) => Promise<void>,
  ): void {
    const arrival = this.#arrival(message);
    if (!arrival) {
      channel.ack(message);
      return;
    }
    const work = this.#withDatabase(channel, () => process(arrival))
      .then((done) => {
        if (done && this.#channel === channel) channel.ack(message);
      })
      .catch((error: unknown) => {
        // The event could not be moved to a retry queue or parked: the broker redelivers it.
        const { message: reason } = Failure.from(error);
        if (this.#channel !== channel) return;
        const failed = 'an event could be neither postponed nor parked';
        logFailedWork(this.member.logger, error, { reason }, failed);
        opening.reopen(`${failed}: ${reason}`);
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** Returns null for a message that must be dropped. */
  #arrival(message: ConsumeMessage): Arrival | null {
    try {
      return arrivalOf(message, receivedEvents(this.member.senders, message), null);
    } catch (error) {
      if (!(error instanceof MessageRejected)) throw error;
      this.member.rejected.report(error);
      if (error.reason !== 'unknown-sender') return null;
      const unusable = `sent by the account ${error.sender}, which is not that of an app`;
      return arrivalOf(message, readJson(arrivingEvents, message.content), unusable);
    }
  }

  /**
   * Runs `work` and repeats it while the database is unavailable. Resolves with false when the
   * channel is lost or the app drains: the broker then redelivers the event.
   */
  async #withDatabase(channel: Channel, work: () => Promise<void>): Promise<boolean> {
    while (this.#channel === channel) {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        this.member.logger.warn(
          { reason: error.message },
          'events are not handled: the database is unavailable',
        );
      }
      const { signal } = this.#drain;
      await clock.sleep(databaseRetryMs, signal);
      if (signal.aborted) return false;
    }
    return false;
  }

  async #handle(arrival: Arrival): Promise<void> {
    const { events, unusable } = arrival;
    if (!events || unusable !== null)
      return this.#parkAll(arrival, 1, unusable ?? 'malformed: not an event');
    const handle = async (event: ArrivingEvent) => {
      await this.#handleEvent(arrival, event);
      events.delete(event);
    };
    const [first] = events;
    if (first && this.server.eventDelivery(first.name) === 'together') {
      const outcomes = await Promise.allSettled([...events].map(handle));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      return;
    }
    // One after another: prefetch limits the handlers that run.
    for (const event of [...events]) await handle(event);
  }

  async #handleEvent(arrival: Arrival, event: ArrivingEvent): Promise<void> {
    // Log lines about the event carry the id of the request that caused it.
    await runInRequestContext({ requestId: event.requestId, deadline: null }, async () => {
      try {
        await this.#inbox.handle(event);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        await this.#postpone(arrival, event, error);
      }
    });
  }

  async #postpone(arrival: Arrival, event: ArrivingEvent, error: unknown): Promise<void> {
    const { message } = arrival;
    const { attempts, delayMs, reason } = nextAttempt(error, attemptsOf(message));
    const part = arrival.partOf(event);
    if (delayMs === null) return this.#park({ ...part, attempts, reason });
    const fields = {
      event: event.name,
      message_id: event.messageId,
      attempts,
      reason,
      again_in_ms: delayMs,
    };
    logFailedWork(this.member.logger, error, fields, 'an event will be retried');
    const retryQueue = this.member.topology.retryQueue(this.member.name, delayMs);
    await this.publisher.move(message, part, retryQueue, { [attemptsHeader]: attempts });
  }

  async #parkAll(arrival: Arrival, attempts: number, reason: string): Promise<void> {
    const { content, properties } = arrival.message;
    const messageId = (properties.messageId as string | undefined) ?? null;
    const parts = arrival.events
      ? [...arrival.events].map((event) => arrival.partOf(event))
      : [{ messageId, event: null, content }];
    for (const part of parts) await this.#park({ ...part, attempts, reason });
  }

  async #park(parked: UnhandledMessage): Promise<void> {
    await parkMessage(this.database, parked);
    const { event, messageId, attempts, reason } = parked;
    this.member.logger.error(
      { event, message_id: messageId, attempts, reason },
      'an event was parked',
    );
  }
}

const arrivalOf = (
  message: ConsumeMessage,
  events: readonly ArrivingEvent[] | null,
  unusable: string | null,
): Arrival => ({
  message,
  events: events && new Set(events),
  unusable,
  partOf: (event) => ({
    messageId: event.messageId,
    event: event.name,
    content: events?.length === 1 ? message.content : Buffer.from(JSON.stringify(event)),
  }),
});

/** Reads the attempts header, which may hold anything; limited to 1,000. */
const attemptsOf = ({ properties }: ConsumeMessage): number => {
  const attempts: unknown = properties.headers?.[attemptsHeader];
  return typeof attempts === 'number' && attempts > 0 ? Math.min(Math.floor(attempts), 1_000) : 0;
};
