import { Failure } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { BusServer } from '../strategy.ts';
import { NotBegun, WaitingLine } from '../waiting-line.ts';
import type { OpenConnection, Station } from './connection.ts';
import { readJson } from '../message-content.ts';
import { ReplyBatches } from './reply-batches.ts';
import { requestMessage, type RequestMessage } from './request-messages.ts';
import type { Topology } from './topology.ts';

type Request = RequestMessage[number];

/** How many messages of requests are taken at a time; each may hold a batch. */
const prefetch = 32;

/** Answers a context's requests. */
export class RequestServer implements Station {
  readonly #line: WaitingLine;
  #channel: Channel | null = null;
  #replies: ReplyBatches | null = null;
  #consumerTag: string | null = null;
  #draining = false;
  readonly #answering = new Set<Promise<void>>();

  constructor(
    private readonly context: string,
    private readonly server: BusServer,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {
    this.#line = new WaitingLine(() => server.metrics.refused('overloaded'));
  }

  async setUp(connection: OpenConnection) {
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
        else connection.giveUp(`the consumer of ${queue} was cancelled`);
      });
      this.#consumerTag = consumerTag;
    };
  }

  lost(): void {
    this.#channel = null;
    this.#replies?.lost();
    this.#replies = null;
  }

  /** Takes no more requests, answers those that were begun, and hands the others back. */
  async drain(): Promise<void> {
    this.#draining = true;
    if (this.#channel && this.#consumerTag) {
      // If the connection goes meanwhile, so does the consumer.
      await this.#channel.cancel(this.#consumerTag).catch(() => undefined);
    }
    this.#line.close();
    await Promise.all(this.#answering);
    this.#replies?.flush();
  }

  #take(channel: Channel, replies: ReplyBatches, message: ConsumeMessage): void {
    const answering = this.#answer(channel, replies, message).finally(() =>
      this.#answering.delete(answering),
    );
    this.#answering.add(answering);
  }

  async #answer(channel: Channel, replies: ReplyBatches, message: ConsumeMessage): Promise<void> {
    const replyTo = String(message.properties.replyTo);
    const requests = readJson(requestMessage, message.content);
    if (!requests) this.log.error('a message of requests is malformed and was dropped');
    await Promise.all(
      (requests ?? []).map(async (request) => {
        const { id, name } = request;
        try {
          const reply = await this.#line.run(() => this.server.answer(request));
          replies.add(replyTo, { id, reply }, name);
        } catch (error) {
          if (error instanceof NotBegun) this.#handBack(channel, request, replyTo);
          else replies.add(replyTo, { id, failure: Failure.from(error).toWire() }, name);
        }
      }),
    );
    if (this.#channel === channel) channel.ack(message);
  }

  /** As a new message, so that the replica which gets it sees that it was not begun. */
  #handBack(channel: Channel, request: Request, replyTo: string): void {
    if (this.#channel !== channel) return;
    const expiration = Math.ceil(Math.max(0, request.deadline - Date.now()));
    const content = Buffer.from(JSON.stringify([request]));
    channel.publish(this.topology.requests, this.context, content, { replyTo, expiration });
  }
}
