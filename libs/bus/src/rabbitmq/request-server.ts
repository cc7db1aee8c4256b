import { Failure } from '@registrar/contracts';
import type { Logger } from '@registrar/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import {
  authenticationHeaders,
  type MessageAuthenticator,
  MessageRejected,
} from '../authentication/message-authenticator.ts';
import type { RejectedMessages } from '../authentication/rejected-messages.ts';
import type { BusServer } from '../bus-server.ts';
import { type BoundedQueue, RejectedBeforeStart } from '../bounded-queue.ts';
import type { OpenConnection, ChannelOwner } from './connection.ts';
import { readJson } from '../message-content.ts';
import { type Caller, ReplyBatches } from './reply-batches.ts';
import { requestMessage, unstartedHeader } from './request-messages.ts';
import { type RequestRoute, requestRouteOf, type Topology } from './topology.ts';

/** The number of messages received at a time; each may hold a batch of requests. */
const prefetch = 32;

/** The names of the queues that RabbitMQ makes of `amq.rabbitmq.reply-to` (Direct Reply-to). */
const replyQueue = /^amq\.rabbitmq\.reply-to\./;

/** Receives the requests to a context on one route, runs their handlers and sends the replies. */
export class RequestServer implements ChannelOwner {
  #channel: Channel | null = null;
  #replies: ReplyBatches | null = null;
  #consumerTag: string | null = null;
  #draining = false;
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly context: string,
    private readonly route: RequestRoute,
    private readonly server: BusServer,
    /** Limits the requests of all routes. */
    private readonly queue: BoundedQueue,
    private readonly topology: Topology,
    private readonly authenticator: MessageAuthenticator,
    private readonly rejected: RejectedMessages,
    private readonly log: Logger,
  ) {}

  async openChannels(connection: OpenConnection) {
    if (this.#draining) return undefined;
    const channel = await connection.confirmChannel();
    await this.topology.declareExchange(channel, this.topology.requestExchange(this.route));
    const queue = await this.topology.declareRequestQueue(channel, this.context, this.route);
    await channel.prefetch(prefetch);
    const replies = new ReplyBatches(channel, this.authenticator);
    this.#channel = channel;
    this.#replies = replies;
    return async () => {
      const { consumerTag } = await channel.consume(queue, (message) => {
        if (message) this.#take(channel, replies, message);
        else connection.reconnect(`the consumer of ${queue} was cancelled`);
      });
      this.#consumerTag = consumerTag;
    };
  }

  connectionLost(): void {
    this.#channel = null;
    this.#replies?.lost();
    this.#replies = null;
  }

  /** Receives no more requests. */
  async stopReceiving(): Promise<void> {
    this.#draining = true;
    if (this.#channel && this.#consumerTag) {
      // If the connection goes meanwhile, so does the consumer.
      await this.#channel.cancel(this.#consumerTag).catch(() => undefined);
    }
  }

  /** Resolves when the received requests are handled, or back in the queue of the broker. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#replies?.flush();
  }

  #take(channel: Channel, replies: ReplyBatches, message: ConsumeMessage): void {
    const running = this.#handle(channel, replies, message).finally(() =>
      this.#running.delete(running),
    );
    this.#running.add(running);
  }

  async #handle(channel: Channel, replies: ReplyBatches, message: ConsumeMessage): Promise<void> {
    const caller = this.rejected.unlessRejected(() => this.#callerOf(message));
    if (caller) await this.#answer(caller, channel, replies, message);
    if (this.#channel === channel) channel.ack(message);
  }

  /** @throws {MessageRejected} also for a message on the route of other callers */
  #callerOf(message: ConsumeMessage): Caller {
    const authenticated = this.authenticator.verify('request', message);
    const replyTo = String(message.properties.replyTo);
    if (requestRouteOf(authenticated.sender) !== this.route || !replyQueue.test(replyTo)) {
      throw new MessageRejected('malformed', authenticated.sender);
    }
    return { ...authenticated, replyTo };
  }

  async #answer(
    caller: Caller,
    channel: Channel,
    replies: ReplyBatches,
    message: ConsumeMessage,
  ): Promise<void> {
    const requests = readJson(requestMessage, message.content);
    if (!requests) this.log.error('a malformed message of requests was dropped');
    const started = startedElsewhere(message);
    const unstarted: number[] = [];
    let returning: Promise<void> | undefined;
    await Promise.all(
      (requests ?? []).map(async (request) => {
        const { id, name } = request;
        if (started(id)) return;
        try {
          const reply = await this.queue.run(
            () => this.server.dispatchRequest(request, caller.sender),
            this.route === 'operator' ? 'urgent' : 'normal',
          );
          replies.add(caller, { id, reply }, name);
        } catch (error) {
          if (error instanceof RejectedBeforeStart) {
            unstarted.push(id);
            returning ??= endOfTurn().then(() => this.#returnToQueue(channel, message, unstarted));
          } else replies.add(caller, { id, failure: Failure.from(error).toWire() }, name);
        }
      }),
    );
    await returning;
  }

  /**
   * Publishes a message again, with the MAC of its sender, so that another replica handles those of its
   * requests that are not started. Through the default exchange: no app may publish to the operator's.
   */
  #returnToQueue(channel: Channel, message: ConsumeMessage, unstarted: readonly number[]): void {
    if (this.#channel !== channel) return;
    const { replyTo, expiration } = message.properties as { replyTo: string; expiration?: string };
    const headers = { ...authenticationHeaders(message), [unstartedHeader]: unstarted.join(' ') };
    channel.sendToQueue(this.topology.requestQueue(this.context, this.route), message.content, {
      headers,
      replyTo,
      ...(expiration !== undefined && { expiration }),
    });
  }
}

/** Tells which requests of a returned message another replica has started. */
function startedElsewhere({ properties }: ConsumeMessage): (id: number) => boolean {
  const unstarted: unknown = properties.headers?.[unstartedHeader];
  if (typeof unstarted !== 'string') return () => false;
  const ids = new Set(unstarted.split(' ').map(Number));
  return (id) => !ids.has(id);
}

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
