import { type Context, Failure } from '@registrar/contracts';
import { clock, withDeadline } from '@registrar/platform';
import type { ConfirmChannel, ConsumeMessage, Message } from 'amqplib';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Answer, RequestEnvelope } from '../envelope.ts';
import type { OutgoingEvent } from '../event-message.ts';
import { assertSendable, readJson } from '../message-content.ts';
import { MessageRejected } from '../rejected-messages.ts';
import { TransportClient } from '../transport-client.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import type { RabbitMqMember } from './rabbitmq-member.ts';
import {
  isQuickRepeat,
  type PendingRequest,
  quickRepeatMs,
  RequestDestination,
} from './request-destination.ts';
import {
  idsOf,
  numberHeader,
  recipientHeader,
  replyMessage,
  type RequestMessage,
  requestMessage,
  signs,
} from './request-messages.ts';
import { prefetch } from './request-queue-consumer.ts';
import { signIntervalMs } from './requests-in-hand.ts';
import { requestRouteOf } from './senders.ts';
import { type RequestQueueNumber, requestQueueNumbers } from './topology.ts';

/** The pseudo-queue for replies (RabbitMQ manual, Direct Reply-to). */
const directReplyTo = 'amq.rabbitmq.reply-to';

/** A message is full at this number of requests, or of bytes. */
const batchCount = 100;
const batchBytes = 256 * 1024;

/** The number of requests of this app that may wait for their reply at a time. */
const inFlightLimit = 10_000;

/**
 * The number of messages without requests that are sent before requests are repeated: of two replicas the frozen one gets
 * half of them, and then has as many messages as it may have, so that the broker gives what follows to the other.
 */
const fillers = 2 * prefetch;

/**
 * The time that a replica has for its reply after the loss of the queue, before the request is sent
 * again: milliseconds. Requests that the replica had not received are lost with the queue.
 */
const resendAfterMs = 1_000;

/**
 * Sends requests over RabbitMQ, in batches: a single request is sent at the end of this turn of the
 * event loop; requests that follow while a message to the same context is unconfirmed are sent
 * together after its confirm. When the broker becomes unreachable or blocks publishers, pending and
 * new requests fail with `unavailable` at once.
 *
 * A message that a queue does not take, because the node of the queue is away, is published to the
 * next queue of the context. Requests whose queue is lost before their reply are sent once more, and so are
 * those that a frozen replica has (docs/decisions/0022-frozen-replicas.md); a
 * request that changes something carries an idempotency key, as for a redelivery.
 */
export class RabbitMqClient extends TransportClient implements ChannelOwner {
  readonly purpose = 'sending requests';
  readonly #destinations = new Map<Context, RequestDestination>();
  #channel: ConfirmChannel | null = null;
  #checks: NodeJS.Timeout | null = null;
  #checkedAt = 0;
  #lastId = 0;
  #inFlight = 0;
  readonly #exchange: string;
  /** Runs a function outside of the context of the request that is being sent. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(
    protected override readonly member: RabbitMqMember,
    private readonly publisher: EventPublisher,
  ) {
    super(member);
    this.#exchange = member.topology.requestExchange(requestRouteOf(member.name));
  }

  async openChannel(opening: OpeningChannel): Promise<void> {
    const channel = await opening.confirmChannel();
    await this.member.topology.declareExchange(channel, this.#exchange);
    channel.on('return', (message: Message) => this.#returned(message));
    await channel.consume(
      directReplyTo,
      (message) =>
        message ? this.#replied(message) : opening.reopen('the consumer of replies was cancelled'),
      { noAck: true },
    );
    this.#channel = channel;
  }

  channelLost(): void {
    this.#channel = null;
    this.#stopChecks();
    this.#failAll('the connection to RabbitMQ was lost');
    this.#destinations.clear();
  }

  /** While the connection is blocked, nothing is sent and no reply arrives. */
  connectionBlocked(): void {
    this.#failAll('RabbitMQ blocks publishers');
  }

  override get usable(): boolean {
    return this.publisher.usable;
  }

  protected override deliver(event: OutgoingEvent): Promise<void> {
    return this.publisher.deliver(event);
  }

  protected async transmit(
    envelope: RequestEnvelope,
    context: Context,
    hang: () => void,
  ): Promise<Answer> {
    const { name, deadline } = envelope;
    if (deadline <= clock.now())
      throw new Failure('expired', `${name} was sent after its deadline`);
    this.member.connection.assertUsable();
    if (!this.#channel) throw new Failure('unavailable', 'RabbitMQ is unreachable');
    if (this.#inFlight >= inFlightLimit) {
      throw new Failure('overloaded', 'too many requests wait for their reply');
    }
    const id = (this.#lastId += 1);
    const text = JSON.stringify({ id, ...envelope } satisfies RequestMessage[number]);
    assertSendable(text, name);
    const destination = this.#destination(context);
    const reply = new Promise<Answer>((resolve, reject) => {
      const changes = envelope.idempotencyKey !== undefined;
      const request = { id, text, deadline, changes, ...unsent, repeats: 0, resolve, reject, hang };
      destination.pending.set(id, request);
      this.#enqueue(destination, request);
    });
    this.#inFlight += 1;
    if (!this.#checks) this.#startChecks();
    try {
      return await withDeadline(reply, deadline, name);
    } finally {
      this.#inFlight -= 1;
      destination.pending.delete(id);
    }
  }

  #destination(context: Context): RequestDestination {
    let destination = this.#destinations.get(context);
    if (!destination) {
      destination = new RequestDestination(context, this.member.topology);
      this.#destinations.set(context, destination);
    }
    return destination;
  }

  #enqueue(destination: RequestDestination, request: PendingRequest): void {
    destination.waiting.push(request);
    if (destination.sending) return;
    destination.sending = true;
    setImmediate(() => this.#sendBatch(destination));
  }

  #isCurrent(destination: RequestDestination): boolean {
    return this.#destinations.get(destination.context) === destination;
  }

  #sendBatch(destination: RequestDestination): void {
    // The requests of a lost channel have failed already.
    if (!this.#isCurrent(destination)) return;
    const batch = takeBatch(destination.waiting);
    destination.sending = batch.length > 0;
    if (batch.length === 0) return;
    this.member.metrics.countBatch(destination.context, batch.length);
    this.#publishBatch(destination, batch, () => this.#sendBatch(destination));
  }

  /**
   * Publishes a batch to a queue, and to the next one if that queue does not take it.
   *
   * @param batch may be empty: then the message shows whether the queue takes messages
   * @param settled called when the broker has confirmed or rejected the message
   * @param number the first queue of the context that is not known to be away
   */
  #publishBatch(
    destination: RequestDestination,
    batch: readonly PendingRequest[],
    settled: () => void,
    number = destination.nextQueue(clock.now()),
  ): void {
    if (number === null) {
      const { isFull } = destination.tryAgain();
      const failure = isFull
        ? new Failure('overloaded', `the queue of ${destination.context} is full`)
        : new Failure('unavailable', `${destination.context} is not running`);
      for (const request of batch) request.reject(failure);
      settled();
      return;
    }
    const message = destination.nextMessage();
    const sent = { number, at: clock.now(), message };
    for (const request of batch) Object.assign(request, unsent, { sent });
    const isQuick = batch.every(isQuickRepeat);
    const timeoutMs = isQuick
      ? quickRepeatMs
      : Math.max(...batch.map((request) => request.deadline)) - sent.at;
    const isAnsweredAtOnce = batch.every(({ repeats }) => repeats > 0);
    const content = Buffer.from(`[${batch.map((request) => request.text).join(',')}]`);
    this.#channel?.publish(
      this.#exchange,
      destination.keys[number]!,
      content,
      {
        ...this.member.senders.own,
        ...(isAnsweredAtOnce && { headers: { [numberHeader]: `${number} ${message}` } }),
        mandatory: true,
        replyTo: directReplyTo,
        // RabbitMQ requires a whole number of milliseconds.
        expiration: Math.max(0, Math.ceil(timeoutMs)),
      },
      (error: unknown) => {
        if (error && this.#isCurrent(destination)) {
          destination.markAway(number, 'rejected', clock.now());
          this.#publishBatch(destination, batch, settled);
          return;
        }
        if (number > 0 && !destination.isAway(number, clock.now())) {
          for (const lost of destination.took(number)) this.#resendLater(destination, lost);
        }
        settled();
      },
    );
  }

  #failAll(reason: string): void {
    const failure = new Failure('unavailable', reason);
    for (const { pending, waiting } of this.#destinations.values()) {
      for (const request of pending.values()) request.reject(failure);
      pending.clear();
      waiting.length = 0;
    }
  }

  /** A queue does not exist, or its node is away: publishes the requests of the message to the next one. */
  #returned({ content, fields }: Message): void {
    for (const destination of this.#destinations.values()) {
      const number = requestQueueNumbers.find(
        (each) => destination.keys[each] === fields.routingKey,
      );
      if (number === undefined) continue;
      destination.markAway(number, 'returned', clock.now());
      const batch = (readJson(requestMessage, content) ?? [])
        .map(({ id }) => destination.pending.get(id))
        .filter((request) => request !== undefined);
      if (batch.length > 0) this.#publishBatch(destination, batch, () => undefined);
      this.#resendLater(destination, number);
      return;
    }
  }

  /** Sends requests again whose queue was lost, unless a replica that had received them replies in time. */
  #resendLater(destination: RequestDestination, number: RequestQueueNumber): void {
    const lost = destination.sentTo(number).map((request) => ({ request, sent: request.sent }));
    if (lost.length === 0) return;
    setTimeout(() => {
      if (!this.#isCurrent(destination)) return;
      const now = clock.now();
      const again = lost.filter(
        ({ request, sent }) =>
          destination.pending.has(request.id) &&
          request.sent === sent &&
          !destination.isInHand(request, now),
      );
      if (again.length === 0) return;
      this.member.logger.warn(
        { queue: destination.keys[number], requests: again.length },
        'requests are sent again: their queue was lost with its RabbitMQ node',
      );
      for (const { request } of again) {
        Object.assign(request, unsent);
        this.#enqueue(destination, request);
      }
    }, resendAfterMs).unref();
  }

  /** Checks requests at an interval while there are some, so that an idle process is not woken up. */
  #startChecks(): void {
    this.#checkedAt = clock.monotonic();
    // Replies that have arrived are read first.
    const check = () => setImmediate(() => this.#check());
    this.#checks = this.#outside(() => setInterval(check, signIntervalMs).unref());
  }

  #stopChecks(): void {
    if (this.#checks) clearInterval(this.#checks);
    this.#checks = null;
  }

  /** Repeats requests that a frozen replica has, and finds out whether others still wait in their queues. */
  #check(): void {
    if (this.#inFlight === 0) this.#stopChecks();
    const now = clock.now();
    const late = clock.monotonic() - this.#checkedAt > 2 * signIntervalMs;
    this.#checkedAt = clock.monotonic();
    // This process had no processor, or was stopped: signs may have arrived that it has not read.
    if (late) return;
    for (const destination of this.#destinations.values()) {
      this.#repeat(destination, destination.lostRequests(now));
      for (const number of destination.uncertainQueues(now)) {
        this.#publishBatch(destination, [], () => undefined, number);
      }
    }
  }

  #repeat(destination: RequestDestination, requests: PendingRequest[]): void {
    if (requests.length === 0) return;
    this.member.metrics.countRepeated(destination.context, requests.length);
    this.member.logger.warn(
      { queue: destination.keys[0], requests: requests.length },
      'requests are sent again: no replica shows that it works on them',
    );
    for (let filler = 0; filler < fillers; filler += 1) {
      this.#publishBatch(destination, [], () => undefined);
    }
    for (const request of requests) request.repeats += 1;
    for (let batch = takeBatch(requests); batch.length > 0; batch = takeBatch(requests)) {
      this.#publishBatch(destination, batch, () => undefined);
    }
  }

  /** Reads what a replica tells of messages and requests. */
  #signed(destination: RequestDestination, headers: Readonly<Record<string, unknown>>): void {
    const now = clock.now();
    const [number, message] = idsOf(headers[signs.received]);
    const queue = requestQueueNumbers.find((each) => each === number);
    if (queue !== undefined && message !== undefined) destination.received(queue, message, now);
    for (const id of idsOf(headers[signs.inHand])) destination.inHand(id, now);
    const returned = idsOf(headers[signs.returned])
      .map((id) => destination.returned(id, now))
      .filter((request) => request !== undefined);
    for (const request of returned) {
      Object.assign(request, unsent);
      this.#enqueue(destination, request);
    }
  }

  #replied(message: ConsumeMessage): void {
    let sender: string;
    try {
      sender = this.#senderOfReplies(message);
    } catch (error) {
      this.member.rejected.report(error);
      return;
    }
    const replies = readJson(replyMessage, message.content);
    if (!replies) {
      this.member.logger.error('a malformed message of replies was dropped');
      return;
    }
    // Only the context that got a request may answer it.
    const destination = this.#destinations.get(sender as Context);
    if (!destination) return;
    // A message without replies shows what has become of messages and requests.
    if (replies.length === 0) this.#signed(destination, message.properties.headers ?? {});
    for (const { id, failure, ...answer } of replies) {
      const request = destination.pending.get(id);
      if (!request) continue;
      destination.answered(request);
      if (failure) request.reject(Failure.fromWire(failure));
      else request.resolve(answer);
    }
  }

  /**
   * @throws {MessageRejected} also for replies to the requests of another app, which may have named the
   * queue of this one for them
   */
  #senderOfReplies(message: ConsumeMessage): string {
    const sender = this.member.senders.senderOf(message);
    if (message.properties.headers?.[recipientHeader] !== this.member.name) {
      throw new MessageRejected('wrong-destination', sender);
    }
    return sender;
  }
}

/** What is known of a request that waits to be sent. */
const unsent = {
  sent: null,
  passedAt: null,
  inHandAt: null,
  isReturned: false,
} satisfies Partial<PendingRequest>;

/** Removes the requests of the next message from the queue, and drops those that have expired. */
function takeBatch(waiting: PendingRequest[], now = clock.now()): PendingRequest[] {
  let bytes = 0;
  let count = 0;
  const batch: PendingRequest[] = [];
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
