import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#libs/contracts';
import { type Database, DatabaseAway } from '#libs/persistence';
import { type Logger, runOperation } from '#libs/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import { arrivingEvent, handleOnce } from '../inbox.ts';
import { readJson } from '../message-content.ts';
import { park } from '../parked-rows.ts';
import { nextDelay, retryDelays } from '../retry-ladder.ts';
import type { BusServer } from '../strategy.ts';
import type { OpenConnection, Station } from './connection.ts';
import { attemptsHeader, type EventPublisher } from './event-publisher.ts';
import type { Topology } from './topology.ts';

/** How many events a replica handles at a time. */
const prefetch = 16;

/** How long it pauses while the database is away: milliseconds. */
const awayPause = 1_000;

/**
 * Handles a context's events, each once. One whose handler fails climbs the ladder of retry
 * queues and is parked at its end, in the context's database; what is no event at all is parked at
 * once, and so is what the broker gave up. While the database is away, the events in hand are kept,
 * and so no more come in: the consumer pauses.
 */
export class EventConsumer implements Station {
  readonly #running = new Set<Promise<void>>();
  readonly #drain = new AbortController();
  #channel: Channel | null = null;
  #consumerTags: string[] = [];

  constructor(
    private readonly context: string,
    private readonly server: BusServer,
    private readonly database: Database,
    private readonly publisher: EventPublisher,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {}

  async setUp(connection: OpenConnection) {
    if (this.#drain.signal.aborted) return undefined;
    const channel = await connection.channel();
    await this.topology.declareExchanges(channel);
    const queue = await this.topology.declareEventQueues(channel, this.context);
    for (const { name } of this.server.events('once')) {
      const key = this.topology.eventKey(name, this.context);
      await channel.bindQueue(queue, this.topology.events, key);
    }
    await channel.prefetch(prefetch);
    this.#channel = channel;
    this.#consumerTags = [];
    const givenUp = this.topology.parkingQueue(this.context);
    const ways = [
      [queue, (message: ConsumeMessage) => this.#handle(message)],
      [givenUp, (message: ConsumeMessage) => this.#park(message, 0, 'the broker gave it up')],
    ] as const;
    return async () => {
      for (const [from, deal] of ways) {
        const { consumerTag } = await channel.consume(from, (message) => {
          if (message) this.#take(connection, channel, message, deal);
          else connection.giveUp(`the consumer of ${from} was cancelled`);
        });
        this.#consumerTags.push(consumerTag);
      }
    };
  }

  lost(): void {
    this.#channel = null;
  }

  /** Takes no more events and resolves when those that were taken are done with. */
  async drain(): Promise<void> {
    this.#drain.abort();
    for (const tag of this.#consumerTags) {
      // If the connection goes meanwhile, so does the consumer.
      await this.#channel?.cancel(tag).catch(() => undefined);
    }
    await Promise.all(this.#running);
  }

  #take(
    connection: OpenConnection,
    channel: Channel,
    message: ConsumeMessage,
    deal: (message: ConsumeMessage) => Promise<void>,
  ): void {
    const work = this.#withDatabase(channel, () => deal(message))
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
  async #withDatabase(channel: Channel, work: () => Promise<void>): Promise<boolean> {
    while (this.#channel === channel) {
      try {
        await work();
        return true;
      } catch (error) {
        if (!(error instanceof DatabaseAway)) throw error;
        this.log.warn({ reason: error.message }, 'events wait: the database is away');
      }
      const { signal } = this.#drain;
      await pause(awayPause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
    }
    return false;
  }

  async #handle(message: ConsumeMessage): Promise<void> {
    const event = readJson(arrivingEvent, message.content);
    if (!event) return this.#park(message, 1, 'malformed: not an event');
    // What becomes of it is said in the name of the request that caused it, too.
    await runOperation({ requestId: event.requestId, deadline: null }, async () => {
      try {
        await handleOnce(this.database, this.server, event);
      } catch (error) {
        if (error instanceof DatabaseAway) throw error;
        await this.#postpone(message, event.name, error);
      }
    });
  }

  async #postpone(message: ConsumeMessage, event: string, error: unknown): Promise<void> {
    const { code, message: reason } = Failure.from(error);
    // Somebody whom the handler asks is away: no fault of the event, and it does not count.
    const away = code === 'unavailable';
    const attempts = attemptsOf(message) + (away ? 0 : 1);
    const delay = away ? retryDelays[0] : nextDelay(attempts);
    if (delay === null) return this.#park(message, attempts, reason);
    this.log.warn(
      { event, message_id: messageId(message), attempts, reason, again_in_ms: delay },
      'an event comes again later',
    );
    const step = this.topology.retryQueue(this.context, delay);
    await this.publisher.move(message, step, { [attemptsHeader]: attempts });
  }

  async #park(message: ConsumeMessage, attempts: number, reason: string): Promise<void> {
    const { content } = message;
    const event = readJson(arrivingEvent, content)?.name ?? null;
    const parked = { messageId: messageId(message), event, attempts, reason };
    await park(this.database, { ...parked, content });
    this.log.error(
      { event, message_id: parked.messageId, attempts, reason },
      'an event was parked',
    );
  }
}

/** Whatever stands in the header. */
const attemptsOf = ({ properties }: ConsumeMessage): number => {
  const attempts: unknown = properties.headers?.[attemptsHeader];
  return typeof attempts === 'number' && attempts > 0 ? Math.min(Math.floor(attempts), 1_000) : 0;
};

const messageId = ({ properties }: ConsumeMessage) =>
  (properties.messageId as string | undefined) ?? null;
