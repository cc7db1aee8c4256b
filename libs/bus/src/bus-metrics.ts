import { Failure } from '#libs/contracts';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Seconds. */
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Requests in one message. */
const batchBuckets = [1, 2, 5, 10, 25, 50, 100];

/** Why a context did not begin a request: its line was full, or the deadline had passed. */
export type RefusalReason = 'overloaded' | 'expired';

/** What became of an event that arrived; a duplicate was handled before and is passed over. */
export type EventOutcome = 'handled' | 'duplicate' | 'failed';

/** What an app counts and times of its part in the bus (docs/operations.md, Monitoring). */
export class BusMetrics {
  readonly #requests: Counter<'destination' | 'outcome'>;
  readonly #batches: Histogram<'destination'>;
  readonly #refused: Counter<'reason'>;
  readonly #queue: Histogram<'request'>;
  readonly #handler: Histogram<'request'>;
  readonly #events: Counter<'event' | 'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'registrar_bus_requests_total',
      help: 'Requests and pages asked of other contexts, by outcome.',
      labelNames: ['destination', 'outcome'],
      registers,
    });
    this.#batches = new Histogram({
      name: 'registrar_bus_batch_requests',
      help: 'Requests that were sent together in one message.',
      labelNames: ['destination'],
      buckets: batchBuckets,
      registers,
    });
    this.#refused = new Counter({
      name: 'registrar_bus_refused_total',
      help: 'Requests that came and were not begun, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#queue = new Histogram({
      name: 'registrar_bus_queue_seconds',
      help: 'Time from the sending of a request to the beginning of its handler.',
      labelNames: ['request'],
      buckets,
      registers,
    });
    this.#handler = new Histogram({
      name: 'registrar_bus_handler_seconds',
      help: 'Time that the handler of a request took.',
      labelNames: ['request'],
      buckets,
      registers,
    });
    this.#events = new Counter({
      name: 'registrar_bus_events_total',
      help: 'Events that arrived, by outcome.',
      labelNames: ['event', 'outcome'],
      registers,
    });
  }

  /** Counts something that is asked of another context. */
  async asked<T>(destination: string, ask: () => Promise<T>): Promise<T> {
    let outcome = 'done';
    try {
      return await ask();
    } catch (error) {
      outcome = Failure.from(error).code;
      throw error;
    } finally {
      this.#requests.inc({ destination, outcome });
    }
  }

  /** Counts a message of requests. */
  sent(destination: string, requests: number): void {
    this.#batches.observe({ destination }, requests);
  }

  /** Counts a request that came and is not begun. */
  refused(reason: RefusalReason): void {
    this.#refused.inc({ reason });
  }

  /**
   * Times a handler, and the way of its request to it.
   *
   * @param sentAt milliseconds since the epoch, by the sender's clock
   */
  async handled<T>(request: string, sentAt: number, handle: () => Promise<T>): Promise<T> {
    this.#queue.observe({ request }, Math.max(0, Date.now() - sentAt) / 1_000);
    const stop = this.#handler.startTimer({ request });
    return handle().finally(stop);
  }

  /** Counts an event that arrived, when it is done with. */
  arrived(event: string, outcome: EventOutcome): void {
    this.#events.inc({ event, outcome });
  }
}
