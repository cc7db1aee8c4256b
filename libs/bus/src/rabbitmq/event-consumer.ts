import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#libs/contracts';
import type { Database } from '#libs/persistence';
import type { Logger } from '#libs/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import { arrivingEvent, handleOnce } from '../inbox.ts';
import { nextDelay } from '../retry-ladder.ts';
import type { BusServer } from '../strategy.ts';
import type { OpenConnection, Station } from './connection.ts';
import { isDatabaseAway } from './database-away.ts';
import { attemptsHeader, type EventPublisher, reasonHeader } from './event-publisher.ts';
import { readJson } from './message-content.ts';
import type { Topology } from './topology.ts';

/** How many events a replica handles at a time. */
const prefetch = 16;

/** How long it pauses while the database is away: milliseconds. */
const awayPause = 1_000;

/**
 * Handles a context's events, each once. One whose handler fails climbs the ladder of retry
 * queues and is parked at its end; what is no event at all is parked at once. While the database
 * is away, the events in hand are kept, and so no more come in: the consumer pauses.
 */
export class EventConsumer implements Station {
  readonly #running = new Set<Promise<void>>();
  readonly #drain = new AbortController();
  #channel: Channel | null = null;
  #consumerTag: string | null = null;

  constructor(
    private readonly context: string,
    private readonly server: BusServer,
    private readonly database: Database,
    private readonly publisher: EventPublisher,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {}

  async setUp(connection: OpenConnection): Promise<void> {
    if (this.#drain.signal.aborted) return;
    const channel = await connection.channel();
    await this.topology.declareExchanges(channel);
    const queue = await this.topology.declareEventQueues(channel, this.context);
    for (const { name } of this.server.events('once')) {
      await channel.bindQueue(queue, this.topology.events, name);
    }
    await channel.prefetch(prefetch);
    this.#channel = channel;
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message) this.#take(connection, channel, message);
      else connection.giveUp(`the consumer of ${queue} was cancelled`);
    });
    this.#consumerTag = consumerTag;
  }

  lost(): void {
    this.#channel = null;
  }

  /** Takes no more events and resolves when those that were taken are done with. */
  async drain(): Promise<void> {
    this.#drain.abort();
    if (this.#channel && this.#consumerTag) {
      // If the connection goes meanwhile, so does the consumer.
      await this.#channel.cancel(this.#consumerTag).catch(() => undefined);
    }
    await Promise.all(this.#running);
  }

  #take(connection: OpenConnection, channel: Channel, message: ConsumeMessage): void {
    const work = this.#handle(channel, message)
      .then((done) => {
        if (done && this.#channel === channel) channel.ack(message);
      })
      .catch((error: unknown) => {
        // It could not even be moved: the broker keeps it, and brings it again.
        const { message: reason } = Failure.from(error);
        if (this.#channel === channel) connection.giveUp(`an event cannot be moved: ${reason}`);
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** False when the event is left to the broker, which brings it again to whoever consumes. */
  async #handle(channel: Channel, message: ConsumeMessage): Promise<boolean> {
    const event = readJson(arrivingEvent, message.content);
    if (!event) {
      await this.#park(message, 'unknown', 1, 'malformed: not an event');
      return true;
    }
    while (this.#channel === channel) {
      try {
        await handleOnce(this.database, this.server, event);
        return true;
      } catch (error) {
        if (!isDatabaseAway(error)) {
          await this.#postpone(message, event.name, error);
          return true;
        }
        const reason = Failure.from(error).message;
        this.log.warn({ reason }, 'events wait: the database is away');
      }
      const { signal } = this.#drain;
      await pause(awayPause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
    }
    return false;
  }

  async #postpone(message: ConsumeMessage, event: string, error: unknown): Promise<void> {
    const attempts = Number(message.properties.headers?.[attemptsHeader] ?? 0) + 1;
    const reason = Failure.from(error).message;
    const delay = nextDelay(attempts);
    if (delay === null) return this.#park(message, event, attempts, reason);
    this.log.warn(
      { event, message_id: messageId(message), attempts, reason, again_in_ms: delay },
      'an event comes again later',
    );
    const step = this.topology.retryQueue(this.context, delay);
    await this.publisher.move(message, step, { [attemptsHeader]: attempts });
  }

  async #park(
    message: ConsumeMessage,
    event: string,
    attempts: number,
    reason: string,
  ): Promise<void> {
    this.log.error(
      { event, message_id: messageId(message), attempts, reason },
      'an event was parked',
    );
    await this.publisher.move(message, this.topology.parkingQueue(this.context), {
      [attemptsHeader]: attempts,
      [reasonHeader]: reason.slice(0, longestReason),
    });
  }
}

/** How much of a reason is kept with a parked event: characters. */
const longestReason = 1_000;

const messageId = (message: ConsumeMessage) => message.properties.messageId as unknown;
