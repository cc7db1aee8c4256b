import { Failure } from '@registrar/contracts';
import type { Logger } from '@registrar/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { BusServer } from '../bus-server.ts';
import { RejectedBeforeStart, BoundedQueue } from '../bounded-queue.ts';
import type { OpenConnection, ChannelOwner } from './connection.ts';
import { readJson } from '../message-content.ts';
import { ReplyBatches } from './reply-batches.ts';
import { requestMessage, type RequestMessage } from './request-messages.ts';
import type { Topology } from './topology.ts';

type Request = RequestMessage[number];

/** The number of messages received at a time; each may hold a batch of requests. */
const prefetch = 32;

/** Receives the requests to a context, runs their handlers and sends the replies. */
export class RequestServer implements ChannelOwner {
  readonly #queue: BoundedQueue;
  #channel: Channel | null = null;
  #replies: ReplyBatches | null = null;
  #consumerTag: string | null = null;
  #draining = false;
  readonly #running = new Set<Promise<void>>();

  constructor(
    private readonly context: string,
    private readonly server: BusServer,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {
    this.#queue = new BoundedQueue(() => server.metrics.countRejection('overloaded'));
  }

  async openChannels(connection: OpenConnection) {
    if (this.#draining) return undefined;
    const channel = await connection.confirmChannel();
    await this.topology.declareExchanges(channel);
    const queue = await this.topology.declareRequestQueue(channel, this.context);
    await channel.prefetch(prefetch);
    const replies = new ReplyBatches(channel);
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

  /** Receives no more requests, completes the running ones, and returns the others to the queue. */
  async drain(): Promise<void> {
    this.#draining = true;
    if (this.#channel && this.#consumerTag) {
      // If the connection goes meanwhile, so does the consumer.
      await this.#channel.cancel(this.#consumerTag).catch(() => undefined);
    }
    this.#queue.close();
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
    const replyTo = String(message.properties.replyTo);
    const requests = readJson(requestMessage, message.content);
    if (!requests) this.log.error('a malformed message of requests was dropped');
    await Promise.all(
      (requests ?? []).map(async (request) => {
        const { id, name } = request;
        try {
          const reply = await this.#queue.run(() => this.server.dispatchRequest(request));
          replies.add(replyTo, { id, reply }, name);
        } catch (error) {
          if (error instanceof RejectedBeforeStart) this.#returnToQueue(channel, request, replyTo);
          else replies.add(replyTo, { id, failure: Failure.from(error).toWire() }, name);
        }
      }),
    );
    if (this.#channel === channel) channel.ack(message);
  }

  /** Publishes an unstarted request again, so that another replica receives it as a new message. */
  #returnToQueue(channel: Channel, request: Request, replyTo: string): void {
    if (this.#channel !== channel) return;
    const expiration = Math.ceil(Math.max(0, request.deadline - Date.now()));
    const content = Buffer.from(JSON.stringify([request]));
    channel.publish(this.topology.requests, this.context, content, { replyTo, expiration });
  }
}
