import {
  type Context,
  Failure,
  type ListContract,
  type Page,
  type RequestContract,
} from '#libs/contracts';
import { beforeDeadline, type Logger } from '#libs/platform';
import type { ConfirmChannel, ConsumeMessage, Message } from 'amqplib';
import type * as z from 'zod';
import type { BusMetrics } from '../bus-metrics.ts';
import { asking } from '../bus-spans.ts';
import { BusClient, defaultPageSize } from '../client.ts';
import { envelopeFor } from '../envelope.ts';
import { pagesOf } from '../pages.ts';
import type { OpenConnection, RabbitMqConnection, Station } from './connection.ts';
import { assertSendable, readJson } from '../message-content.ts';
import { replyMessage, type RequestMessage, requestMessage } from './request-messages.ts';
import type { Topology } from './topology.ts';

/** RabbitMQ's name for replies that come without a queue of their own (manual, Direct Reply-to). */
const directReplyTo = 'amq.rabbitmq.reply-to';

/** How many requests travel in one message, and how many bytes of them it takes to fill one. */
const batchCount = 100;
const batchBytes = 256 * 1024;

/** How many requests may wait for their reply at a time. */
const inFlightLimit = 10_000;

interface Pending {
  resolve(reply: unknown): void;
  reject(failure: Failure): void;
}
interface Waiting {
  readonly id: number;
  readonly text: string;
  readonly deadline: number;
}
/** The requests to one context that wait for the message before them to be confirmed. */
interface Destination {
  readonly waiting: Waiting[];
  sending: boolean;
}

/**
 * Asks over RabbitMQ. A lone request leaves at the end of this turn of the event loop; those that
 * come while a message to the same destination is not yet confirmed leave together when it is.
 * Nothing waits for a broker that is away or takes no messages: what is under way when it goes, or
 * says so, fails as `unavailable`.
 */
export class RabbitMqClient extends BusClient implements Station {
  readonly #pending = new Map<number, Pending>();
  readonly #destinations = new Map<Context, Destination>();
  #channel: ConfirmChannel | null = null;
  #lastId = 0;

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly topology: Topology,
    private readonly metrics: BusMetrics,
    private readonly log: Logger,
  ) {
    super();
  }

  async setUp(connection: OpenConnection): Promise<void> {
    const channel = await connection.confirmChannel();
    await this.topology.declareExchanges(channel);
    channel.on('return', (message: Message) => this.#returned(message));
    await channel.consume(
      directReplyTo,
      (message) => (message ? this.#replied(message) : connection.giveUp('replies were cancelled')),
      { noAck: true },
    );
    this.#channel = channel;
  }

  lost(): void {
    this.#channel = null;
    this.#failAll('the connection to RabbitMQ was lost');
    this.#destinations.clear();
  }

  /** Neither do requests leave any more, nor do those come back that others would have to answer. */
  blocked(): void {
    this.#failAll('RabbitMQ takes no messages at present');
    for (const { waiting } of this.#destinations.values()) waiting.length = 0;
  }

  async request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>> {
    return (await this.#ask(contract, input)) as z.output<Reply>;
  }

  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize = defaultPageSize,
  ): AsyncIterable<z.output<Item>[]> {
    return pagesOf(
      async (place) => (await this.#ask(contract, { ...input, ...place })) as Page<z.output<Item>>,
      pageSize,
    );
  }

  #ask(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    return asking(contract, () =>
      this.metrics.asked(contract.context, () => this.#send(contract, input)),
    );
  }

  async #send(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    const envelope = envelopeFor(contract, input);
    if (envelope.deadline <= Date.now()) {
      throw new Failure('expired', `${contract.name} was asked after its deadline`);
    }
    this.connection.assertUsable();
    if (this.#pending.size >= inFlightLimit) {
      throw new Failure('overloaded', 'too many requests wait for their reply');
    }
    const id = (this.#lastId += 1);
    const text = JSON.stringify({ id, ...envelope } satisfies RequestMessage[number]);
    assertSendable(text, contract.name);
    const reply = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#enqueue(contract.context, { id, text, deadline: envelope.deadline });
    try {
      return await beforeDeadline(reply, envelope.deadline, contract.name);
    } finally {
      this.#pending.delete(id);
    }
  }

  #enqueue(context: Context, request: Waiting): void {
    let destination = this.#destinations.get(context);
    if (!destination) {
      destination = { waiting: [], sending: false };
      this.#destinations.set(context, destination);
    }
    destination.waiting.push(request);
    if (destination.sending) return;
    destination.sending = true;
    const idle = destination;
    setImmediate(() => this.#sendBatch(context, idle));
  }

  #sendBatch(context: Context, destination: Destination): void {
    // What was asked on a connection that is lost has failed already.
    if (this.#destinations.get(context) !== destination) return;
    const channel = this.#channel;
    const now = Date.now();
    const batch = takeBatch(destination.waiting, now);
    destination.sending = channel !== null && batch.length > 0;
    if (!channel || batch.length === 0) return;
    this.metrics.sent(context, batch.length);
    const lastDeadline = Math.max(...batch.map((request) => request.deadline));
    channel.publish(
      this.topology.requests,
      context,
      Buffer.from(`[${batch.map((request) => request.text).join(',')}]`),
      {
        mandatory: true,
        replyTo: directReplyTo,
        // RabbitMQ takes whole milliseconds only.
        expiration: Math.ceil(lastDeadline - now),
      },
      (refused: unknown) => {
        if (refused) {
          this.#fail(batch, new Failure('overloaded', `the queue of ${context} is full`));
        }
        this.#sendBatch(context, destination);
      },
    );
  }

  #failAll(reason: string): void {
    const failure = new Failure('unavailable', reason);
    for (const pending of this.#pending.values()) pending.reject(failure);
    this.#pending.clear();
  }

  #fail(requests: readonly { id: number }[], failure: Failure): void {
    for (const { id } of requests) this.#pending.get(id)?.reject(failure);
  }

  #returned({ content, fields }: Message): void {
    const nobody = new Failure('unavailable', `nobody answers for ${fields.routingKey}`);
    this.#fail(readJson(requestMessage, content) ?? [], nobody);
  }

  #replied({ content }: ConsumeMessage): void {
    const replies = readJson(replyMessage, content);
    if (!replies) this.log.error('a message of replies is malformed');
    for (const { id, reply, failure } of replies ?? []) {
      const pending = this.#pending.get(id);
      if (failure) pending?.reject(Failure.fromWire(failure));
      else pending?.resolve(reply);
    }
  }
}

/** Takes the requests of the next message out of the line, without those that have expired. */
function takeBatch(waiting: Waiting[], now: number): Waiting[] {
  let bytes = 0;
  let count = 0;
  const batch: Waiting[] = [];
  for (const request of waiting) {
    if (batch.length === batchCount || bytes >= batchBytes) break;
    count += 1;
    if (request.deadline <= now) continue;
    batch.push(request);
    bytes += request.text.length;
  }
  waiting.splice(0, count);
  return batch;
}
