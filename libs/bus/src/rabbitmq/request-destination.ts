import type { Context } from '@registrar/contracts';
import type { Answer } from '../envelope.ts';
import { signIntervalMs } from './requests-in-hand.ts';
import { type RequestQueueNumber, requestQueueNumbers, type Topology } from './topology.ts';

/** The time after which a queue that was away is tried again: milliseconds. */
const retryAfterMs = 500;

/** Why a queue did not take a request. */
type Absence = 'returned' | 'rejected';

/**
 * How long a request is with a replica that shows no sign of having it, before it is sent again: milliseconds. Its
 * consumer has it as soon as a later message was received. A replica shows a sign each `signIntervalMs`.
 */
const graceMs = 2 * signIntervalMs;

/** How long a replica that had a request shows no sign of it, before the replica counts as frozen: milliseconds. */
const silentMs = 4 * signIntervalMs;

/**
 * How often a request is sent again. At first at short intervals, since the broker may give it to the frozen replica
 * once more; that copy is then dropped after a moment.
 */
const maxRepeats = { quick: 4, all: 5 };

/** How long a message of quick repeats, or without requests, waits at the broker: milliseconds. */
export const quickRepeatMs = 2 * signIntervalMs;

export const isQuickRepeat = ({ repeats }: PendingRequest): boolean =>
  repeats > 0 && repeats < maxRepeats.quick;

/** A request of this app, from its sending to its reply. */
export interface PendingRequest {
  readonly id: number;
  readonly text: string;
  readonly deadline: number;
  /** Whether the request changes something. */
  readonly changes: boolean;
  /** The queue to which the request was sent last, when, and in which message; null while it waits to be sent. */
  sent: {
    readonly number: RequestQueueNumber;
    readonly at: number;
    readonly message: number;
  } | null;
  /** When a message that was sent later was received; null if none was. */
  passedAt: number | null;
  /** When a replica last showed that it has the request; null if none did. */
  inHandAt: number | null;
  /** Whether a replica gave it back that may not have been the last to get it. */
  isReturned: boolean;
  repeats: number;
  resolve(answer: Answer): void;
  reject(failure: Error): void;
  /** Called when a replica that has the request seems to be frozen. */
  hang(): void;
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
  #messages = 0;
  /** The last message of each queue that is known to have been received. */
  readonly #received = new Map<RequestQueueNumber, number>();
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

  /** The number of the next message. */
  nextMessage(): number {
    this.#messages += 1;
    return this.#messages;
  }

  /** Records that a replica has received a message. */
  received(number: RequestQueueNumber, message: number, now: number): void {
    this.#pass(number, message);
    for (const request of this.pending.values()) {
      if (request.sent?.message === message) request.inHandAt = now;
    }
  }

  #pass(number: RequestQueueNumber, message: number): void {
    this.#received.set(number, Math.max(message, this.#received.get(number) ?? 0));
  }

  #isPassed({ number, message }: NonNullable<PendingRequest['sent']>): boolean {
    return message < (this.#received.get(number) ?? 0);
  }

  /** Records that a replica has answered a request. */
  answered({ sent }: PendingRequest): void {
    if (sent) this.#pass(sent.number, sent.message);
  }

  /** Records that a replica works on a request. */
  inHand(id: number, now: number): void {
    const request = this.pending.get(id);
    if (!request) return;
    request.inHandAt = now;
    this.answered(request);
  }

  /** Whether a replica has shown lately that it has a request. */
  isInHand({ inHandAt }: PendingRequest, now: number): boolean {
    return inHandAt !== null && now - inHandAt < silentMs;
  }

  /** Records that a replica does not handle a request; returns it if it is to be sent again at once. */
  returned(id: number, now: number): PendingRequest | undefined {
    const request = this.pending.get(id);
    if (!request?.sent) return undefined;
    request.isReturned = true;
    return this.isInHand(request, now) ? undefined : request;
  }

  /** The requests that seem to be with a frozen replica, and are to be sent again. */
  lostRequests(now: number): PendingRequest[] {
    return [...this.pending.values()].filter((request) => {
      if (!this.#hangs(request, now)) return false;
      request.hang();
      // A change that was begun is repeated only when the broker has taken it from the replica.
      if (request.inHandAt !== null && request.changes && !request.isReturned) return false;
      return request.repeats < maxRepeats.all;
    });
  }

  #hangs(request: PendingRequest, now: number): boolean {
    const { sent, inHandAt } = request;
    if (!sent) return false;
    if (inHandAt !== null) return now - inHandAt >= silentMs;
    if (isQuickRepeat(request)) return now - sent.at >= signIntervalMs;
    // Otherwise it may wait in the queue, whose messages are received in the order of their sending.
    if (!this.#isPassed(sent)) return false;
    request.passedAt ??= now;
    return now - request.passedAt >= graceMs;
  }

  /** The queues of which a message would show whether requests still wait in them. */
  uncertainQueues(now: number): RequestQueueNumber[] {
    const uncertain = [...this.pending.values()].filter(
      ({ sent, inHandAt }) =>
        sent && inHandAt === null && !this.#isPassed(sent) && now - sent.at >= signIntervalMs,
    );
    return [...new Set(uncertain.map(({ sent }) => sent!.number))];
  }

  isAway(number: RequestQueueNumber, now: number): boolean {
    return (this.#away.get(number)?.until ?? 0) > now;
  }
}
