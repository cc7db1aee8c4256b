import type { Channel } from 'amqplib';
import { retryDelaysMs } from '../retry-ladder.ts';

/**
 * The time after which the request queue of a context without consumers is deleted: milliseconds.
 * Requests survive a restart that is shorter. Afterwards requests fail with `unavailable` at once.
 */
const requestQueueExpiryMs = 10_000;

/**
 * The numbers of a context's request queues on each route. Callers and replicas use queue 0, and its
 * replacements while the broker node is away on which queue 0 lives
 * (docs/decisions/0015-request-queues.md).
 */
export const requestQueueNumbers = [0, 1, 2] as const;
export type RequestQueueNumber = (typeof requestQueueNumbers)[number];

/** The number of messages in a request queue above which the broker rejects requests. */
const requestQueueLength = 2_000;

/**
 * The broker dead-letters a message after this number of deliveries: protection against a message
 * that crashes its consumer. Failed handlers are counted by our own header instead.
 */
const deliveryLimit = 50;

/**
 * The ways of requests: those of apps to each other, and those of the operator's command line, with
 * an exchange and queues of their own, to which no app may publish.
 */
export const requestRoutes = ['requests', 'operator'] as const;
export type RequestRoute = (typeof requestRoutes)[number];

/** The properties of every exchange. RabbitMQ checks permissions for routing keys on topic exchanges only. */
export const exchangeDeclaration = {
  type: 'topic',
  durable: true,
  auto_delete: false,
  internal: false,
  arguments: {},
} as const;

/** A durable queue with its arguments, as RabbitMQ names them. */
export interface QueueDeclaration {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number>>;
}

/**
 * The exchanges and queues of an installation. Each app declares and binds only its own queues, whose
 * names contain the app's name (permissions.ts).
 */
export class Topology {
  readonly requests: string;
  readonly operator: string;
  readonly events: string;

  constructor(readonly namespace: string) {
    this.requests = `${namespace}.rpc`;
    this.operator = `${namespace}.operator`;
    this.events = `${namespace}.events`;
  }

  /** All exchanges. */
  get exchanges(): string[] {
    return [this.requests, this.operator, this.events];
  }
  requestExchange(route: RequestRoute): string {
    return route === 'operator' ? this.operator : this.requests;
  }
  requestQueue(
    context: string,
    route: RequestRoute = 'requests',
    number: RequestQueueNumber = 0,
  ): string {
    return `${this.namespace}.${route}.${this.requestKey(context, number)}`;
  }
  /** The routing key of the requests for one request queue of a context. */
  requestKey(context: string, number: RequestQueueNumber): string {
    return number === 0 ? context : `${context}.${number}`;
  }
  eventQueue(context: string): string {
    return `${this.namespace}.events.${context}`;
  }
  retryQueue(context: string, delay: number): string {
    return `${this.namespace}.retry.${context}.${delay}ms`;
  }
  /** The broadcast queue of one replica of an app. */
  broadcastQueue(app: string, replica: string): string {
    return `${this.namespace}.broadcast.${app}.${replica}`;
  }
  /** The routing key of an event for one app that subscribes or listens to it. */
  eventKey(event: string, app: string): string {
    return `${event}.${app}`;
  }
  /** The queue of messages that the broker dead-lettered; the app parks them in its database. */
  parkedQueue(context: string): string {
    return `${this.namespace}.parked.${context}`;
  }

  /** The names of all durable queues of a context. */
  queuesOf(context: string): string[] {
    return this.declarationsOf(context).map(({ name }) => name);
  }

  /** All durable queues of a context. */
  declarationsOf(context: string): QueueDeclaration[] {
    return [
      ...requestRoutes.flatMap((route) =>
        requestQueueNumbers.map((number) => this.#requests(context, route, number)),
      ),
      ...this.#events(context),
    ];
  }

  /**
   * A request queue of a context: bounded; the broker rejects what exceeds it. Classic whatever the
   * virtual host's default is.
   */
  #requests(context: string, route: RequestRoute, number: RequestQueueNumber): QueueDeclaration {
    return {
      name: this.requestQueue(context, route, number),
      arguments: {
        'x-queue-type': 'classic',
        'x-expires': requestQueueExpiryMs,
        'x-max-length': requestQueueLength,
        'x-overflow': 'reject-publish',
      },
    };
  }

  /** The event queue of a context, its retry queues and its dead-letter queue. */
  #events(context: string): QueueDeclaration[] {
    const name = this.eventQueue(context);
    const deadLetterQueue = this.parkedQueue(context);
    return [
      { name: deadLetterQueue, arguments: { 'x-queue-type': 'quorum' } },
      {
        name,
        arguments: {
          'x-queue-type': 'quorum',
          'x-delivery-limit': deliveryLimit,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': deadLetterQueue,
        },
      },
      ...retryDelaysMs.map((delay) => ({
        name: this.retryQueue(context, delay),
        arguments: {
          'x-queue-type': 'quorum',
          'x-message-ttl': delay,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': name,
          // The event leaves this queue only when the event queue has confirmed it.
          'x-dead-letter-strategy': 'at-least-once',
          'x-overflow': 'reject-publish',
        },
      })),
    ];
  }

  async declareExchange(channel: Channel, exchange: string): Promise<void> {
    const { type, durable } = exchangeDeclaration;
    await channel.assertExchange(exchange, type, { durable });
  }

  async declareRequestQueue(
    channel: Channel,
    context: string,
    route: RequestRoute = 'requests',
    number: RequestQueueNumber = 0,
  ): Promise<string> {
    const requests = this.#requests(context, route, number);
    await declare(channel, requests);
    const key = this.requestKey(context, number);
    await channel.bindQueue(requests.name, this.requestExchange(route), key);
    return requests.name;
  }

  async declareEventQueues(channel: Channel, context: string): Promise<string> {
    for (const queue of this.#events(context)) await declare(channel, queue);
    return this.eventQueue(context);
  }
}

const declare = (channel: Channel, { name, arguments: given }: QueueDeclaration) =>
  channel.assertQueue(name, { durable: true, arguments: given });
