import type { Channel } from 'amqplib';
import { retryDelays } from '../retry-ladder.ts';

/**
 * How long the request queue of a context outlives its last consumer: milliseconds. A restart
 * finds its requests still waiting; after that, callers are told at once that nobody is there.
 */
const requestQueueLife = 10_000;

/** How many messages of requests may wait for a context before callers are turned away. */
const requestQueueLength = 2_000;

/**
 * A fuse against a message that kills its consumer: then the broker parks it. Failures are counted
 * by our own header.
 */
const deliveryLimit = 50;

/** A durable queue as its app declares it, with its arguments under the broker's names. */
export interface QueueDeclaration {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number>>;
}

/**
 * The names of everything that an installation declares at its broker. Each app declares and binds
 * its own queues, whose names carry its name, and no others (permissions.ts).
 */
export class Topology {
  readonly requests: string;
  readonly events: string;

  constructor(private readonly namespace: string) {
    // Not the name of the first versions, which declared it with another type.
    this.requests = `${namespace}.rpc`;
    this.events = `${namespace}.events`;
  }

  requestQueue(context: string): string {
    return `${this.namespace}.requests.${context}`;
  }
  eventQueue(context: string): string {
    return `${this.namespace}.events.${context}`;
  }
  retryQueue(context: string, delay: number): string {
    return `${this.namespace}.retry.${context}.${delay}ms`;
  }
  /** The queue of one replica of an app. */
  broadcastQueue(app: string, replica: string): string {
    return `${this.namespace}.broadcast.${app}.${replica}`;
  }
  /** The routing key of an event for one of its subscribers; without one, for broadcasts. */
  eventKey(event: string, subscriber?: string): string {
    return subscriber ? `${event}.${subscriber}` : event;
  }
  parkingQueue(context: string): string {
    return `${this.namespace}.parked.${context}`;
  }

  /** Every queue that a context may have. */
  queuesOf(context: string): string[] {
    return this.declarationsOf(context).map(({ name }) => name);
  }

  /** Every queue that a context may have, as it declares them. */
  declarationsOf(context: string): QueueDeclaration[] {
    return [this.#requests(context), ...this.#events(context)];
  }

  /** Where the requests to a context wait: bounded, and turning away what does not fit. */
  #requests(context: string): QueueDeclaration {
    return {
      name: this.requestQueue(context),
      arguments: {
        'x-expires': requestQueueLife,
        'x-max-length': requestQueueLength,
        'x-overflow': 'reject-publish',
      },
    };
  }

  /** Where the events for a context wait, with the ladder of retries and the place to park. */
  #events(context: string): QueueDeclaration[] {
    const name = this.eventQueue(context);
    const parking = this.parkingQueue(context);
    return [
      { name: parking, arguments: { 'x-queue-type': 'quorum' } },
      {
        name,
        arguments: {
          'x-queue-type': 'quorum',
          'x-delivery-limit': deliveryLimit,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': parking,
        },
      },
      ...retryDelays.map((delay) => ({
        name: this.retryQueue(context, delay),
        arguments: {
          'x-queue-type': 'quorum',
          'x-message-ttl': delay,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': name,
          // The broker drops an event from here only when its queue has confirmed it.
          'x-dead-letter-strategy': 'at-least-once',
          'x-overflow': 'reject-publish',
        },
      })),
    ];
  }

  async declareExchanges(channel: Channel): Promise<void> {
    // Of topic exchanges alone can a broker limit which keys an app may use.
    await channel.assertExchange(this.requests, 'topic', { durable: true });
    await channel.assertExchange(this.events, 'topic', { durable: true });
  }

  async declareRequestQueue(channel: Channel, context: string): Promise<string> {
    const requests = this.#requests(context);
    await declare(channel, requests);
    await channel.bindQueue(requests.name, this.requests, context);
    return requests.name;
  }

  async declareEventQueues(channel: Channel, context: string): Promise<string> {
    for (const queue of this.#events(context)) await declare(channel, queue);
    return this.eventQueue(context);
  }
}

const declare = (channel: Channel, { name, arguments: given }: QueueDeclaration) =>
  channel.assertQueue(name, { durable: true, arguments: given });
