import { Failure } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { Channel, ConsumeMessage } from 'amqplib';
import * as z from 'zod';
import { requestEnvelope } from '../envelope.ts';
import type { BusServer } from '../strategy.ts';
import { WaitingLine } from '../waiting-line.ts';
import type { OpenConnection, Station } from './connection.ts';
import type { ReplyEnvelope } from './request-client.ts';
import type { Topology } from './topology.ts';

const requests = z.array(requestEnvelope.extend({ id: z.string() }));
type Request = z.infer<typeof requests>[number];

/** How many messages of requests are taken at a time; each may hold a batch. */
const prefetch = 32;

/** Answers a context's requests; replies that are ready together travel together. */
export class RequestServer implements Station {
  readonly #line = new WaitingLine();
  readonly #ready = new Map<string, ReplyEnvelope[]>();
  #channel: Channel | null = null;
  #consumerTag: string | null = null;

  constructor(
    private readonly context: string,
    private readonly server: BusServer,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {}

  async setUp(connection: OpenConnection): Promise<void> {
    const channel = await connection.channel();
    await this.topology.declareExchanges(channel);
    const queue = await this.topology.declareRequestQueue(channel, this.context);
    await channel.prefetch(prefetch);
    this.#channel = channel;
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message) void this.#answer(channel, message);
      else connection.giveUp(`the consumer of ${queue} was cancelled`);
    });
    this.#consumerTag = consumerTag;
  }

  lost(): void {
    this.#channel = null;
    this.#ready.clear();
  }

  /** Takes no more requests and resolves when those that were taken are answered. */
  async drain(): Promise<void> {
    if (this.#channel && this.#consumerTag) await this.#channel.cancel(this.#consumerTag);
    await this.#line.drained();
    this.#flush();
  }

  async #answer(channel: Channel, message: ConsumeMessage): Promise<void> {
    const replyTo = String(message.properties.replyTo);
    const taken = this.#parse(message);
    await Promise.all(
      taken.map(async (request) => {
        const reply = await this.#line
          .run(() => this.#answerOne(request, message.fields.redelivered))
          .then(
            (value): ReplyEnvelope => ({ id: request.id, reply: value }),
            (error): ReplyEnvelope => ({ id: request.id, failure: Failure.from(error).toWire() }),
          );
        this.#reply(replyTo, reply);
      }),
    );
    if (this.#channel === channel) channel.ack(message);
  }

  async #answerOne(request: Request, redelivered: boolean): Promise<unknown> {
    // The replica that had it may have done it: only the caller can know what to do now.
    if (redelivered && request.idempotencyKey) {
      throw new Failure('unavailable', `${request.name} was interrupted; it may have been done`);
    }
    return this.server.answer(request);
  }

  #parse(message: ConsumeMessage): Request[] {
    try {
      return requests.parse(JSON.parse(message.content.toString('utf8')));
    } catch (error) {
      const reason = Failure.from(error).message;
      this.log.error({ reason }, 'a message of requests is malformed and was dropped');
      return [];
    }
  }

  /** Replies wait for the end of this turn of the event loop, so that they can share a message. */
  #reply(replyTo: string, reply: ReplyEnvelope): void {
    const ready = this.#ready.get(replyTo);
    if (ready) {
      ready.push(reply);
      return;
    }
    this.#ready.set(replyTo, [reply]);
    if (this.#ready.size === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    for (const [replyTo, replies] of this.#ready) {
      this.#channel?.publish('', replyTo, Buffer.from(JSON.stringify(replies)));
    }
    this.#ready.clear();
  }
}
