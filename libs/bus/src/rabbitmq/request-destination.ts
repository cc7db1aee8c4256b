import type { Context } from '@registrar/contracts';
import { type RequestQueueNumber, requestQueueNumbers, type Topology } from './topology.ts';

/** The time after which a queue that was away is tried again: milliseconds. */
const retryAfterMs = 500;

/** Why a queue did not take a request. */
type Absence = 'returned' | 'rejected';

/** A request of this app, from its sending to its reply. */
export interface PendingRequest {
  readonly id: number;
  readonly text: string;
  readonly deadline: number;
  /** The queue to which the request was sent last, and when; null while it waits to be sent. */
  sent: { readonly number: RequestQueueNumber; readonly at: number } | null;
  resolve(reply: unknown): void;
  reject(failure: Error): void;
}

/**
 * The requests of this app to one context, and which of the context's queues they go to: the first that
 * is not known to be away. Every message is in one queue at most.
 */
export class RequestDestination {
  /** The routing keys of the context's queues, by number. */
  readonly keys: readonly string[];
  readonly pending = new Map<number, PendingRequest>();
  /** The requests that wait until the previous message is confirmed. */
  readonly waiting: PendingRequest[] = [];
  sending = false;
  readonly #away = new Map<RequestQueueNumber, { absence: Absence; until: number }>();

  constructor(
    readonly context: Context,
    topology: Topology,
  ) {
    this.keys = requestQueueNumbers.map((number) => topology.requestKey(context, number));
  }

  /** Returns the queue for the next message; null if all are away. */
  nextQueue(now: number): RequestQueueNumber | null {
    return requestQueueNumbers.find((number) => !this.isAway(number, now)) ?? null;
  }

  /** Remembers for a moment that a queue did not take a message. */
  markAway(number: RequestQueueNumber, absence: Absence, now: number): void {
    this.#away.set(number, { absence, until: now + retryAfterMs });
  }

  /**
   * Makes the next message try the queues again, after all were away. Returns whether the first one is
   * full: it rejected a message, and has no replacement.
   */
  tryAgain(): { isFull: boolean } {
    const isFull = [...this.#away].every(
      ([number, { absence }]) => absence === (number === 0 ? 'rejected' : 'returned'),
    );
    if (isFull) this.#away.delete(0);
    else this.#away.clear();
    return { isFull };
  }

  /**
   * Records that a queue took a message. Returns the queues of lower numbers that rejected messages:
   * they are not full but away, because a replacement exists only then.
   */
  took(number: RequestQueueNumber): RequestQueueNumber[] {
    const lost: RequestQueueNumber[] = [];
    for (const [lower, away] of this.#away) {
      if (lower >= number || away.absence !== 'rejected') continue;
      this.#away.set(lower, { ...away, absence: 'returned' });
      lost.push(lower);
    }
    return lost;
  }

  /** The requests without a reply that were sent to a queue. */
  sentTo(number: RequestQueueNumber): PendingRequest[] {
    return [...this.pending.values()].filter(({ sent }) => sent?.number === number);
  }

  isAway(number: RequestQueueNumber, now: number): boolean {
    return (this.#away.get(number)?.until ?? 0) > now;
  }
}
