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
    return [
      this.requestQueue(context),
      this.eventQueue(context),
      this.parkingQueue(context),
      ...retryDelays.map((delay) => this.retryQueue(context, delay)),
    ];
  }

  async declareExchanges(channel: Channel): Promise<void> {
    // Of topic exchanges alone can a broker limit which keys an app may use.
    await channel.assertExchange(this.requests, 'topic', { durable: true });
    await channel.assertExchange(this.events, 'topic', { durable: true });
  }

  /** Where the requests to a context wait: bounded, and turning away what does not fit. */
  async declareRequestQueue(channel: Channel, context: string): Promise<string> {
    const queue = this.requestQueue(context);
    await channel.assertQueue(queue, {
      durable: true,
      expires: requestQueueLife,
      maxLength: requestQueueLength,
      arguments: { 'x-overflow': 'reject-publish' },
    });
    await channel.bindQueue(queue, this.requests, context);
    return queue;
  }

  /** Where the events for a context wait, with the ladder of retries and the place to park. */
  async declareEventQueues(channel: Channel, context: string): Promise<string> {
    const queue = this.eventQueue(context);
    const parking = this.parkingQueue(context);
    await channel.assertQueue(parking, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum' },
    });
    await channel.assertQueue(queue, {
      durable: true,
      deadLetterExchange: '',
      deadLetterRoutingKey: parking,
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deliveryLimit },
    });
    for (const delay of retryDelays) {
      await channel.assertQueue(this.retryQueue(context, delay), {
        durable: true,
        messageTtl: delay,
        deadLetterExchange: '',
        deadLetterRoutingKey: queue,
        arguments: {
          'x-queue-type': 'quorum',
          // The broker drops an event from here only when its queue has confirmed it.
          'x-dead-letter-strategy': 'at-least-once',
          'x-overflow': 'reject-publish',
        },
      });
    }
    return queue;
  }
}
