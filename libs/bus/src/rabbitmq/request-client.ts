import { randomUUID } from 'node:crypto';
import {
  type Context,
  Failure,
  type ListContract,
  type Page,
  type RequestContract,
  wireFailure,
} from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { ConfirmChannel, ConsumeMessage, Message } from 'amqplib';
import * as z from 'zod';
import { beforeDeadline } from '../before-deadline.ts';
import { BusClient, defaultPageSize } from '../client.ts';
import { envelopeFor, type RequestEnvelope } from '../envelope.ts';
import { pagesOf } from '../pages.ts';
import type { OpenConnection, RabbitMqConnection, Station } from './connection.ts';
import type { Topology } from './topology.ts';

/** One reply of a message of replies. */
export const replyEnvelope = z.object({
  id: z.string(),
  reply: z.unknown().optional(),
  failure: wireFailure.optional(),
});
export type ReplyEnvelope = z.infer<typeof replyEnvelope>;
const replies = z.array(replyEnvelope);

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
  readonly id: string;
  readonly text: string;
  readonly deadline: number;
}
/** The requests to one context that wait for the message before them to be confirmed. */
interface Destination {
  readonly waiting: Waiting[];
  sending: boolean;
}

/**
 * Asks over RabbitMQ. A lone request leaves at once; those that come while a message to the same
 * destination is not yet confirmed leave together when it is. Nothing waits for a broker that is
 * away: what is under way when the connection goes fails as `unavailable`.
 */
export class RabbitMqClient extends BusClient implements Station {
  readonly #pending = new Map<string, Pending>();
  readonly #destinations = new Map<Context, Destination>();
  #channel: ConfirmChannel | null = null;

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly topology: Topology,
    private readonly log: Logger,
  ) {
    super();
  }

  async setUp(connection: OpenConnection): Promise<void> {
    const channel = await connection.confirmChannel();
    await this.topology.declareExchanges(channel);
    channel.on('return', (message: Message) => this.#returned(message));
    // RabbitMQ manual, Direct Reply-to: replies come without a queue of their own.
    await channel.consume(
      'amq.rabbitmq.reply-to',
      (message) => (message ? this.#replied(message) : connection.giveUp('replies were cancelled')),
      { noAck: true },
    );
    this.#channel = channel;
  }

  lost(): void {
    this.#channel = null;
    const failure = new Failure('unavailable', 'the connection to RabbitMQ was lost');
    for (const pending of this.#pending.values()) pending.reject(failure);
    this.#pending.clear();
    this.#destinations.clear();
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

  async #ask(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    const envelope = envelopeFor(contract, input);
    if (envelope.deadline <= Date.now()) {
      throw new Failure('expired', `${contract.name} was asked after its deadline`);
    }
    this.connection.assertUsable();
    if (this.#pending.size >= inFlightLimit) {
      throw new Failure('overloaded', 'too many requests wait for their reply');
    }
    const id = randomUUID();
    const reply = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#enqueue(contract.context, id, envelope);
    try {
      return await beforeDeadline(reply, envelope.deadline, contract.name);
    } finally {
      this.#pending.delete(id);
    }
  }

  #enqueue(context: Context, id: string, envelope: RequestEnvelope): void {
    let destination = this.#destinations.get(context);
    if (!destination) {
      destination = { waiting: [], sending: false };
      this.#destinations.set(context, destination);
    }
    const text = JSON.stringify({ id, ...envelope });
    destination.waiting.push({ id, text, deadline: envelope.deadline });
    if (!destination.sending) this.#send(context, destination);
  }

  #send(context: Context, destination: Destination): void {
    const channel = this.#channel;
    const now = Date.now();
    const batch = takeBatch(destination.waiting).filter((request) => request.deadline > now);
    if (!channel || batch.length === 0) {
      destination.sending = false;
      return;
    }
    destination.sending = true;
    const lastDeadline = Math.max(...batch.map((request) => request.deadline));
    channel.publish(
      this.topology.requests,
      context,
      Buffer.from(`[${batch.map((request) => request.text).join(',')}]`),
      {
        mandatory: true,
        persistent: false,
        replyTo: 'amq.rabbitmq.reply-to',
        expiration: lastDeadline - now,
        headers: { requests: batch.map((request) => request.id) },
      },
      (refused: unknown) => {
        if (this.#channel !== channel) return;
        if (refused)
          this.#fail(batch, new Failure('overloaded', `the queue of ${context} is full`));
        this.#send(context, destination);
      },
    );
  }

  #fail(requests: readonly { id: string }[], failure: Failure): void {
    for (const { id } of requests) this.#pending.get(id)?.reject(failure);
  }

  #returned(message: Message): void {
    const ids = (message.properties.headers?.['requests'] ?? []) as string[];
    const nobody = new Failure('unavailable', `nobody answers for ${message.fields.routingKey}`);
    this.#fail(
      ids.map((id) => ({ id })),
      nobody,
    );
  }

  #replied(message: ConsumeMessage): void {
    const parsed = replies.safeParse(JSON.parse(message.content.toString('utf8')));
    if (!parsed.success) {
      this.log.error('a message of replies is malformed');
      return;
    }
    for (const { id, reply, failure } of parsed.data) {
      const pending = this.#pending.get(id);
      if (failure) pending?.reject(Failure.fromWire(failure));
      else pending?.resolve(reply);
    }
  }
}

/** Takes the requests of the next message out of the line. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  while (count < waiting.length && count < batchCount && bytes < batchBytes) {
    bytes += waiting[count]?.text.length ?? 0;
    count += 1;
  }
  return waiting.splice(0, count);
}
