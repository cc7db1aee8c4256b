import { Failure } from '#libs/contracts';
import type { Database } from '#libs/persistence';
import type { Logger } from '#libs/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import { arrivingEvent, handleOnce } from '../inbox.ts';
import { nextDelay, retryDelays } from '../retry-ladder.ts';
import type { BusServer } from '../strategy.ts';
import type { OpenConnection, Station } from './connection.ts';
import { attemptsHeader, type EventPublisher, reasonHeader } from './event-publisher.ts';
import type { Topology } from './topology.ts';

/** How many events a replica handles at a time. */
const prefetch = 16;

/**
 * Handles a context's events, each once. One whose handler fails climbs the ladder of retry
 * queues and is parked at its end; one that nobody can ever handle is parked at once; while the
 * database is away, events go round on the lowest step without being counted.
 */
export class EventConsumer implements Station {
  #channel: Channel | null = null;
  #consumerTag: string | null = null;
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly context: string,
    private readonly server: BusServer,
    private readonly database: Database,
    private readonly publisher: EventPublisher,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {}

  async setUp(connection: OpenConnection): Promise<void> {
    const channel = await connection.channel();
    await this.topology.declareExchanges(channel);
    const queue = await this.topology.declareEventQueues(channel, this.context);
    for (const { name } of this.server.events('once')) {
      await channel.bindQueue(queue, this.topology.events, name);
    }
    await channel.prefetch(prefetch);
    this.#channel = channel;
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message) this.#take(channel, message);
      else connection.giveUp(`the consumer of ${queue} was cancelled`);
    });
    this.#consumerTag = consumerTag;
  }

  lost(): void {
    this.#channel = null;
  }

  /** Takes no more events and resolves when those that were taken are done with. */
  async drain(): Promise<void> {
    if (this.#channel && this.#consumerTag) await this.#channel.cancel(this.#consumerTag);
    await Promise.all(this.#running);
  }

  #take(channel: Channel, message: ConsumeMessage): void {
    const work = this.#handle(message)
      .then(() => {
        if (this.#channel === channel) channel.ack(message);
      })
      .catch((error: unknown) => {
        // It could not even be moved: the broker keeps it and brings it again.
        this.log.warn({ reason: Failure.from(error).message }, 'an event stays where it was');
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #handle(message: ConsumeMessage): Promise<void> {
    const attempts = Number(message.properties.headers?.[attemptsHeader] ?? 0);
    try {
      const event = arrivingEvent.parse(JSON.parse(message.content.toString('utf8')));
      await handleOnce(this.database, this.server, event);
    } catch (error) {
      await this.#postpone(message, attempts, error);
    }
  }

  async #postpone(message: ConsumeMessage, attempts: number, error: unknown): Promise<void> {
    const { messageId } = message.properties as { messageId: string };
    const event = { messageId: String(messageId), content: message.content };
    const reason = Failure.from(error).message.slice(0, 1_000);
    const failed = attempts + 1;
    const hopeless = error instanceof SyntaxError || isMalformed(error);
    const delay = isAway(error) ? retryDelays[0] : hopeless ? null : nextDelay(failed);
    const line = { event: message.fields.routingKey, message_id: messageId, reason };
    if (delay === null) {
      this.log.error({ ...line, attempts: failed }, 'an event was parked');
      const parked = this.topology.parkingQueue(this.context);
      await this.publisher.move(event, parked, {
        [attemptsHeader]: failed,
        [reasonHeader]: reason,
      });
      return;
    }
    this.log.warn({ ...line, attempts: failed, again_in_ms: delay }, 'an event comes again later');
    const counted = isAway(error) ? attempts : failed;
    await this.publisher.move(event, this.topology.retryQueue(this.context, delay), {
      [attemptsHeader]: counted,
    });
  }
}

/** No repetition can help: it is not what its contract describes, or nobody handles its kind. */
const isMalformed = (error: unknown): boolean =>
  (error instanceof Failure && error.code === 'invalid') ||
  (error instanceof Error && error.name === 'ZodError');

/** The database is away as a whole (Node's network errors; PostgreSQL's classes 08 and 57P). */
function isAway(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(ECONN|ETIMEDOUT|EPIPE|08|57P)/.test(code);
}
