import { Failure } from '@registrar/contracts';
import { clock, withDeadline } from '@registrar/platform';
import type { Channel, ConsumeMessage, Options } from 'amqplib';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import type { RabbitMqMember } from './rabbitmq-member.ts';
import type { RequestServer } from './request-server.ts';
import type { RequestQueueNumber, RequestRoute } from './topology.ts';

/** The number of messages received at a time; each may hold a batch of requests. */
export const prefetch = 32;

/** The time for opening a queue, after which its node counts as away: milliseconds. */
const openTimeoutMs = 1_000;

/** A received message. */
export interface RequestDelivery {
  readonly message: ConsumeMessage;
  /** Whether another replica may have handled the message: it was delivered before, or to this process while it was stopped. */
  readonly mayBeElsewhere: boolean;
  /** Acknowledges the message, unless its queue was lost and with it the message. */
  acknowledge(): void;
  /** Publishes the message again to a request queue of this context. Acknowledge it afterwards. */
  returnTo(queue: string, properties: Options.Publish): void;
}

/**
 * Consumes from one of the request queues of a context. Queue 0 is always consumed from; a replacement
 * when all queues of lower numbers are away, and from then on.
 */
export class RequestQueueConsumer implements ChannelOwner {
  #channel: Channel | null = null;
  #consumerTag: string | null = null;
  /** Whether the last attempt found the queue away. */
  #away = false;
  #stopped = false;
  /** How often the process had been stopped at the last message. */
  #stops = 0;
  /** Whether arriving messages may have been sent before the process continued. */
  #isCatchingUp = false;

  constructor(
    private readonly member: RabbitMqMember,
    private readonly route: RequestRoute,
    private readonly number: RequestQueueNumber,
    private readonly server: RequestServer,
  ) {}

  get purpose(): string {
    return this.member.topology.requestQueue(this.member.name, this.route, this.number);
  }

  get consumes(): boolean {
    return this.#consumerTag !== null;
  }

  isNeeded(): boolean {
    const lower = this.server.consumers.slice(0, this.number);
    return !this.#stopped && lower.every((queue) => queue.#away);
  }

  isDispensable(): boolean {
    return this.number > 0 || this.server.consumers.some(({ consumes }) => consumes);
  }

  async openChannel(opening: OpeningChannel): Promise<void> {
    const channel = await opening.channel();
    try {
      await withDeadline(
        this.#consume(channel, opening),
        clock.now() + openTimeoutMs,
        this.purpose,
      );
      this.#away = false;
    } catch (error) {
      this.#away = isQueueAway(error);
      throw error instanceof Failure ? noResponse(error) : error;
    }
    if (this.#stopped) await this.#cancel();
  }

  async #consume(channel: Channel, opening: OpeningChannel): Promise<void> {
    const { name: context, topology } = this.member;
    const { route, number } = this;
    await topology.declareExchange(channel, topology.requestExchange(route));
    const queue = await topology.declareRequestQueue(channel, context, route, number);
    await channel.prefetch(prefetch);
    this.#channel = channel;
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message) this.#receive(channel, message);
      else opening.reopen('the consumer was cancelled');
    });
    if (this.#channel === channel) this.#consumerTag = consumerTag;
  }

  #receive(channel: Channel, message: ConsumeMessage): void {
    const stops = this.server.countStops();
    if (stops !== this.#stops) void this.#catchUp(channel);
    this.#stops = stops;
    this.server.take(this.#delivery(channel, message));
  }

  /** Lasts for a round trip: what arrives later was sent after the process had continued. */
  async #catchUp(channel: Channel): Promise<void> {
    this.#isCatchingUp = true;
    await channel.prefetch(prefetch).catch(() => undefined);
    this.#isCatchingUp = false;
  }

  channelLost(): void {
    this.#channel = null;
    this.#consumerTag = null;
  }

  /** How many messages wait in the queue, which no replica has received; null when the broker does not answer. */
  async waitingMessages(): Promise<number | null> {
    const channel = this.#channel;
    if (!channel) return null;
    try {
      const checked = channel.checkQueue(this.purpose);
      const deadline = clock.now() + openTimeoutMs;
      return (await withDeadline(checked, deadline, this.purpose)).messageCount;
    } catch {
      // A queue that is away closes the channel, which is opened again.
      return null;
    }
  }

  /** Receives no more messages. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#cancel();
  }

  async #cancel(): Promise<void> {
    const tag = this.#consumerTag;
    // If the channel goes meanwhile, so does the consumer.
    if (tag) await this.#channel?.cancel(tag).catch(() => undefined);
  }

  #delivery(channel: Channel, message: ConsumeMessage): RequestDelivery {
    return {
      message,
      mayBeElsewhere: this.#isCatchingUp || message.fields.redelivered,
      acknowledge: () => {
        if (this.#channel === channel) channel.ack(message);
      },
      returnTo: (queue, given) => {
        if (this.#channel !== channel) return;
        const { replyTo, expiration } = message.properties as {
          replyTo: string;
          expiration?: string;
        };
        channel.sendToQueue(queue, message.content, {
          ...given,
          replyTo,
          ...(expiration !== undefined && { expiration }),
        });
      },
    };
  }
}

/** The codes of AMQP for a queue that may not be declared, or is there with other arguments. */
const refusals: readonly unknown[] = [403, 406];

/** Whether an error says that a queue's node is away: a code of AMQP, usually 404, or no response in time. */
const isQueueAway = (error: unknown): boolean =>
  error instanceof Failure ||
  (error instanceof Error && 'code' in error && !refusals.includes(error.code));

/** RabbitMQ 4.3 may not respond about a queue of a node that is away, and says nothing of the node. */
const noResponse = (cause: Failure) =>
  new Failure(
    'unavailable',
    `RabbitMQ has not opened it within ${openTimeoutMs / 1_000} s; its node may be away`,
    undefined,
    { cause },
  );
