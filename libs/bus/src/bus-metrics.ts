import { clock } from '@registrar/platform';
import { Failure } from '@registrar/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';

/** Upper bounds of the histograms of durations: seconds. */
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Upper bounds of the histogram of batches: requests in one message. */
const batchBuckets = [1, 2, 5, 10, 25, 50, 100];

/** Why a context rejected a request: its queue was full, or the deadline had passed. */
export type RejectionReason = 'overloaded' | 'expired';

/** Why a message was rejected. */
export const messageFaults = [
  'anonymous',
  'unknown-sender',
  'wrong-destination',
  'malformed',
  'forbidden',
] as const;
export type MessageFault = (typeof messageFaults)[number];

/** The result of an arrival of an event. A `duplicate` was handled before and is discarded. */
export type EventOutcome = 'handled' | 'duplicate' | 'failed';

/** The metrics of an app on the bus (docs/operations.md, Monitoring). */
@Injectable()
export class BusMetrics {
  readonly #requests: Counter<'destination' | 'outcome'>;
  readonly #batches: Histogram<'destination'>;
  readonly #repeated: Counter<'destination'>;
  readonly #rejections: Counter<'reason'>;
  readonly #rejectedMessages: Counter<'reason'>;
  readonly #queue: Histogram<'request'>;
  readonly #handler: Histogram<'request'>;
  readonly #events: Counter<'event' | 'outcome'>;

  constructor(@Inject(Registry) registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'registrar_bus_requests_total',
      help: 'Requests sent to other contexts, pages of lists included, by outcome.',
      labelNames: ['destination', 'outcome'],
      registers,
    });
    this.#batches = new Histogram({
      name: 'registrar_bus_batch_requests',
      help: 'Number of requests in one message.',
      labelNames: ['destination'],
      buckets: batchBuckets,
      registers,
    });
    this.#repeated = new Counter({
      name: 'registrar_bus_repeated_total',
      help: 'Requests sent again because no replica showed that it works on them.',
      labelNames: ['destination'],
      registers,
    });
    this.#rejections = new Counter({
      name: 'registrar_bus_refused_total',
      help: 'Requests that arrived and were not executed, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#rejectedMessages = new Counter({
      name: 'registrar_bus_rejected_messages_total',
      help: 'Messages that arrived and were not accepted from their sender, by reason.',
      labelNames: ['reason'],
      registers,
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const reason of messageFaults) this.#rejectedMessages.inc({ reason }, 0);
    this.#queue = new Histogram({
      name: 'registrar_bus_queue_seconds',
      help: 'Time from the sending of a request to the start of its handler.',
      labelNames: ['request'],
      buckets,
      registers,
    });
    this.#handler = new Histogram({
      name: 'registrar_bus_handler_seconds',
      help: 'Duration of the handler of a request.',
      labelNames: ['request'],
      buckets,
      registers,
    });
    this.#events = new Counter({
      name: 'registrar_bus_events_total',
      help: 'Arrivals of events, by outcome.',
      labelNames: ['event', 'outcome'],
      registers,
    });
  }

  /** Sends a request by `send` and counts it with its outcome. */
  async countRequest<T>(destination: string, send: () => Promise<T>): Promise<T> {
    let outcome = 'done';
    try {
      return await send();
    } catch (error) {
      outcome = Failure.from(error).code;
      throw error;
    } finally {
      this.#requests.inc({ destination, outcome });
    }
  }

  /** Records the number of requests in one message. */
  countBatch(destination: string, requests: number): void {
    this.#batches.observe({ destination }, requests);
  }

  /** Counts requests that are sent again, because the replica that has them seems to be frozen. */
  countRepeated(destination: string, requests: number): void {
    this.#repeated.inc({ destination }, requests);
  }

  /** Counts a request that arrived and is not executed. */
  countRejection(reason: RejectionReason): void {
    this.#rejections.inc({ reason });
  }

  /** Counts a message whose sender is unknown or may not send it. */
  countRejectedMessage(reason: MessageFault): void {
    this.#rejectedMessages.inc({ reason });
  }

  /**
   * Runs a handler and records its duration, and the time since its request was sent.
   *
   * @param sentAt milliseconds since the epoch, by the sender's clock
   */
  async timeHandler<T>(request: string, sentAt: number, handle: () => Promise<T>): Promise<T> {
    this.#queue.observe({ request }, Math.max(0, clock.now() - sentAt) / 1_000);
    const stop = this.#handler.startTimer({ request });
    return handle().finally(stop);
  }

  /** Counts an arrival of an event with its outcome. */
  countEvent(event: string, outcome: EventOutcome): void {
    this.#events.inc({ event, outcome });
  }
}
