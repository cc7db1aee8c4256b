import {
  type Context,
  Failure,
  type ListContract,
  type RequestContract,
} from '@registrar/contracts';
import { withDeadline, type Logger } from '@registrar/platform';
import type { ConfirmChannel, ConsumeMessage, Message } from 'amqplib';
import {
  type MessageAuthenticator,
  MessageRejected,
} from '../authentication/message-authenticator.ts';
import type { RejectedMessages } from '../authentication/rejected-messages.ts';
import type { BusMetrics } from '../bus-metrics.ts';
import { inClientSpan } from '../bus-spans.ts';
import { BusClient } from '../bus-client.ts';
import { createEnvelope } from '../envelope.ts';
import type { OpenConnection, RabbitMqConnection, ChannelOwner } from './connection.ts';
import { assertSendable, readJson } from '../message-content.ts';
import { replyMessage, type RequestMessage, requestMessage } from './request-messages.ts';
import { requestRouteOf, type Topology } from './topology.ts';

/** The pseudo-queue for replies (RabbitMQ manual, Direct Reply-to). */
const directReplyTo = 'amq.rabbitmq.reply-to';

/** A message is full at this number of requests, or of bytes. */
const batchCount = 100;
const batchBytes = 256 * 1024;

/** The number of requests of this app that may wait for their reply at a time. */
const inFlightLimit = 10_000;

interface Pending {
  readonly context: Context;
  resolve(reply: unknown): void;
  reject(failure: Failure): void;
}
interface QueuedRequest {
  readonly id: number;
  readonly text: string;
  readonly deadline: number;
}
/** The requests to one context that wait until the previous message is confirmed. */
interface Destination {
  readonly waiting: QueuedRequest[];
  sending: boolean;
}

/**
 * Sends requests over RabbitMQ, in batches: a single request is sent at the end of this turn of the
 * event loop; requests that follow while a message to the same context is unconfirmed are sent
 * together after its confirm. When the broker becomes unreachable or blocks publishers, pending and
 * new requests fail with `unavailable` at once.
 */
export class RabbitMqClient extends BusClient implements ChannelOwner {
  readonly #pending = new Map<number, Pending>();
  readonly #destinations = new Map<Context, Destination>();
  #channel: ConfirmChannel | null = null;
  #lastId = 0;
  readonly #exchange: string;

  constructor(
    app: string,
    private readonly connection: RabbitMqConnection,
    private readonly topology: Topology,
    private readonly authenticator: MessageAuthenticator,
    private readonly rejected: RejectedMessages,
    private readonly metrics: BusMetrics,
    private readonly log: Logger,
  ) {
    super();
    this.#exchange = topology.requestExchange(requestRouteOf(app));
  }

  async openChannels(connection: OpenConnection): Promise<void> {
    const channel = await connection.confirmChannel();
    await this.topology.declareExchange(channel, this.#exchange);
    channel.on('return', (message: Message) => this.#returned(message));
    await channel.consume(
      directReplyTo,
      (message) =>
        message
          ? this.#replied(message)
          : connection.reconnect('the consumer of replies was cancelled'),
      { noAck: true },
    );
    this.#channel = channel;
  }

  connectionLost(): void {
    this.#channel = null;
    this.#failAll('the connection to RabbitMQ was lost');
    this.#destinations.clear();
  }

  /** While the connection is blocked, nothing is sent and no reply arrives. */
  connectionBlocked(): void {
    this.#failAll('RabbitMQ blocks publishers');
    for (const { waiting } of this.#destinations.values()) waiting.length = 0;
  }

  send(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    return inClientSpan(contract, () =>
      this.metrics.countRequest(contract.context, () => this.#send(contract, input)),
    );
  }

  async #send(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    const envelope = createEnvelope(contract, input);
    if (envelope.deadline <= Date.now()) {
      throw new Failure('expired', `${contract.name} was sent after its deadline`);
    }
    this.connection.assertUsable();
    this.authenticator.assertKnows(contract.context);
    if (this.#pending.size >= inFlightLimit) {
      throw new Failure('overloaded', 'too many requests wait for their reply');
    }
    const id = (this.#lastId += 1);
    const text = JSON.stringify({ id, ...envelope } satisfies RequestMessage[number]);
    assertSendable(text, contract.name);
    const reply = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { context: contract.context, resolve, reject });
    });
    this.#enqueue(contract.context, { id, text, deadline: envelope.deadline });
    try {
      return await withDeadline(reply, envelope.deadline, contract.name);
    } finally {
      this.#pending.delete(id);
    }
  }

  #enqueue(context: Context, request: QueuedRequest): void {
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
    // The requests of a lost connection have failed already.
    if (this.#destinations.get(context) !== destination) return;
    const channel = this.#channel;
    const now = Date.now();
    const batch = takeBatch(destination.waiting, now);
    destination.sending = channel !== null && batch.length > 0;
    if (!channel || batch.length === 0) return;
    this.metrics.countBatch(context, batch.length);
    const lastDeadline = Math.max(...batch.map((request) => request.deadline));
    const content = Buffer.from(`[${batch.map((request) => request.text).join(',')}]`);
    channel.publish(
      this.#exchange,
      context,
      content,
      {
        headers: this.authenticator.authenticate('request', context, content),
        mandatory: true,
        replyTo: directReplyTo,
        // RabbitMQ requires a whole number of milliseconds.
        expiration: Math.ceil(lastDeadline - now),
      },
      (error: unknown) => {
        if (error) {
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
    const failure = new Failure('unavailable', `${fields.routingKey} is not running`);
    this.#fail(readJson(requestMessage, content) ?? [], failure);
  }

  #replied(message: ConsumeMessage): void {
    const sender = this.rejected.unlessRejected(() => this.#senderOfReplies(message));
    if (!sender) return;
    const replies = readJson(replyMessage, message.content);
    if (!replies) this.log.error('a malformed message of replies was dropped');
    for (const { id, reply, failure } of replies ?? []) {
      const pending = this.#pending.get(id);
      // Only the context that got a request may answer it.
      if (pending?.context !== sender) continue;
      if (failure) pending.reject(Failure.fromWire(failure));
      else pending.resolve(reply);
    }
  }

  /** @throws {MessageRejected} also for replies to another process of this app */
  #senderOfReplies(message: ConsumeMessage): string {
    const { sender, answers } = this.authenticator.verify('reply', message);
    if (answers !== this.authenticator.session) {
      throw new MessageRejected('wrong-destination', sender);
    }
    return sender;
  }
}

/** Removes the requests of the next message from the queue, and drops those that have expired. */
function takeBatch(waiting: QueuedRequest[], now: number): QueuedRequest[] {
  let bytes = 0;
  let count = 0;
  const batch: QueuedRequest[] = [];
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
