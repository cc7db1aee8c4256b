import { Failure } from '@registrar/contracts';
import type { ConsumeMessage } from 'amqplib';
import type { BusServer } from '../bus-server.ts';
import { type BoundedQueue, RejectedBeforeStart } from '../bounded-queue.ts';
import { readJson } from '../message-content.ts';
import { MessageRejected } from '../rejected-messages.ts';
import type { RabbitMqMember } from './rabbitmq-member.ts';
import type { Caller, ReplyBatches } from './reply-batches.ts';
import { idsOf, numberHeader, requestMessage, unstartedHeader } from './request-messages.ts';
import { type RequestDelivery, RequestQueueConsumer } from './request-queue-consumer.ts';
import { requestRouteOf } from './senders.ts';
import { requestQueueNumbers, type RequestRoute } from './topology.ts';

/** The names of the queues that RabbitMQ makes of `amq.rabbitmq.reply-to` (Direct Reply-to). */
const replyQueue = /^amq\.rabbitmq\.reply-to\./;

/** Receives the requests to a context on one route, runs their handlers and sends the replies. */
export class RequestServer {
  readonly #running = new Set<Promise<void>>();
  /** The consumers of the queues of the route, by number. */
  readonly consumers: readonly RequestQueueConsumer[];

  constructor(
    private readonly member: RabbitMqMember,
    private readonly server: BusServer,
    private readonly route: RequestRoute,
    /** Limits the requests of all routes. */
    private readonly queue: BoundedQueue,
    private readonly replies: ReplyBatches,
  ) {
    this.consumers = requestQueueNumbers.map(
      (number) => new RequestQueueConsumer(member, route, number, this),
    );
  }

  /** Receives no more requests. */
  async stopReceiving(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
  }

  /** Resolves when the received requests are handled, or back in the queue of the broker. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** How often this process was stopped ({@link RequestsInHand.countStops}). */
  countStops(): number {
    return this.replies.inHand.countStops();
  }

  /** How many messages wait in the lowest queue that this replica consumes from; null without one. */
  async waitingMessages(): Promise<number | null> {
    const queue = this.consumers.find(({ consumes }) => consumes);
    return (await queue?.waitingMessages()) ?? null;
  }

  take(delivery: RequestDelivery): void {
    const running = this.#handle(delivery).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #handle(delivery: RequestDelivery): Promise<void> {
    try {
      await this.#answer(this.#callerOf(delivery.message), delivery);
    } catch (error) {
      this.member.rejected.report(error);
    }
    delivery.acknowledge();
  }

  /** @throws {MessageRejected} also for a message on the route of other callers */
  #callerOf(message: ConsumeMessage): Caller {
    const sender = this.member.senders.senderOf(message);
    const replyTo = String(message.properties.replyTo);
    if (requestRouteOf(sender) !== this.route || !replyQueue.test(replyTo)) {
      throw new MessageRejected('malformed', sender);
    }
    return { sender, replyTo };
  }

  async #answer(caller: Caller, delivery: RequestDelivery): Promise<void> {
    const { message } = delivery;
    const requests = readJson(requestMessage, message.content);
    if (!requests) this.member.logger.error('a malformed message of requests was dropped');
    const started = startedElsewhere(message);
    const mine = (requests ?? []).filter(({ id }) => !started(id));
    if (delivery.mayBeElsewhere) {
      this.#returnToCaller(
        caller,
        mine.map(({ id }) => id),
      );
      return;
    }
    const { [numberHeader]: numbers } = message.properties.headers ?? {};
    if (numbers !== undefined) this.replies.tell(caller, 'received', idsOf(numbers));
    const { inHand } = this.replies;
    const stops = inHand.countStops();
    const unstarted: number[] = [];
    let returning: Promise<void> | undefined;
    await Promise.all(
      mine.map(async (request) => {
        const { id, name } = request;
        const answered = inHand.add(caller, id);
        try {
          const answer = await this.queue.run(
            () => {
              if (inHand.countStops() !== stops) throw new StoppedBeforeStart();
              return this.server.dispatchRequest(request, caller.sender);
            },
            this.route === 'operator' ? 'urgent' : 'normal',
          );
          this.replies.add(caller, { id, ...answer }, name);
        } catch (error) {
          if (error instanceof StoppedBeforeStart) this.#returnToCaller(caller, [id]);
          else if (error instanceof RejectedBeforeStart) {
            unstarted.push(id);
            returning ??= endOfTurn().then(() => this.#returnToQueue(delivery, unstarted));
          } else this.replies.add(caller, { id, failure: Failure.from(error).toWire() }, name);
        } finally {
          answered();
        }
      }),
    );
    await returning;
  }

  /** The caller sends the requests again, unless it has their replies from another replica. */
  #returnToCaller(caller: Caller, ids: readonly number[]): void {
    if (ids.length > 0) this.replies.tell(caller, 'returned', ids);
  }

  /**
   * Publishes a message again, so that another replica handles those of its requests that are not
   * started. Through the default exchange: no app may publish to the operator's.
   */
  #returnToQueue(delivery: RequestDelivery, unstarted: readonly number[]): void {
    // The lowest queue that this replica consumes from: all other replicas consume from it too.
    const target = this.consumers.find(({ consumes }) => consumes);
    if (!target) return;
    const headers = { [unstartedHeader]: unstarted.join(' ') };
    delivery.returnTo(target.purpose, { ...this.member.senders.again(delivery.message), headers });
  }
}

/** The process was stopped while a request waited for its turn: another replica may have handled it. */
class StoppedBeforeStart extends Error {}

/** Tells which requests of a returned message another replica has started. */
function startedElsewhere({ properties }: ConsumeMessage): (id: number) => boolean {
  const unstarted: unknown = properties.headers?.[unstartedHeader];
  if (unstarted === undefined) return () => false;
  const ids = new Set(idsOf(unstarted));
  return (id) => !ids.has(id);
}

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
