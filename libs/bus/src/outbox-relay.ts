import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Failure } from '#libs/contracts';
import type { Database } from '#libs/persistence';
import { type Logger, runOperation } from '#libs/platform';
import { type OutgoingEvent, pruneInbox } from './inbox.ts';
import {
  inHandSeconds,
  lockEvents,
  type LockedEvent,
  postponeEvents,
  removeEvents,
} from './outbox-rows.ts';
import { pruneOutcomes } from './outcomes.ts';
import { nextDelay, retryDelays } from './retry-ladder.ts';

/** How often a relay looks by itself, and how often it tidies up: milliseconds. */
const interval = 1_000;
const pruneInterval = 3_600_000;

/** How a transport passes events on. */
export interface EventCarrier {
  /** Whether there is any sense in trying. */
  readonly usable: boolean;
  /** @throws while the event could not be delivered to all of its subscribers */
  deliver(event: OutgoingEvent): Promise<void>;
}

/**
 * Passes on what an app has written to its outbox, at once and, as a net, every second. Now and
 * then it also shortens the inbox, and forgets the outcomes of requests.
 */
export class OutboxRelay {
  /** Outside of the operation and the transaction of whoever has something relayed. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #pruneAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly carrier: EventCarrier,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.kick(), interval);
    this.kick();
  }

  kick(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#outside(() => this.run()).finally(() => {
      this.#running = null;
      if (this.#again) this.kick();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  private async run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        while (this.carrier.usable && !this.#stopped && (await inTime(() => this.relayBatch())));
        await inTime(() => this.pruneWhenDue());
      } catch (error) {
        this.log.warn({ reason: Failure.from(error).message }, 'the outbox could not be relayed');
        return;
      }
    }
  }

  private async pruneWhenDue(): Promise<void> {
    if (Date.now() < this.#pruneAt) return;
    this.#pruneAt = Date.now() + pruneInterval;
    const more = [await pruneInbox(this.database), await pruneOutcomes(this.database)];
    if (more.includes(true)) this.#pruneAt = Date.now();
  }

  /** Whether there may be more to relay at once. */
  private relayBatch(): Promise<boolean> {
    return this.database.transaction(async () => {
      const { events, more } = await lockEvents(this.database);
      const outcomes = await this.#outside(() =>
        Promise.allSettled(events.map((event) => this.carrier.deliver(event))),
      );
      const delivered: LockedEvent[] = [];
      const failed: { event: LockedEvent; reason: unknown }[] = [];
      for (const [index, event] of events.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === 'rejected') failed.push({ event, reason: outcome.reason });
        else delivered.push(event);
      }
      if (delivered.length > 0) await removeEvents(this.database, delivered);
      if (failed.length > 0) {
        const postponements = failed.map(({ event, reason }) => this.postponement(event, reason));
        await postponeEvents(this.database, postponements);
      }
      return more;
    });
  }

  private postponement(event: LockedEvent, error: unknown) {
    const { code, message: reason } = Failure.from(error);
    // A subscriber that is away is no fault of the event, and does not count.
    const away = code === 'unavailable';
    const attempts = away ? event.attempts : event.attempts + 1;
    const delay = away ? retryDelays[0] : nextDelay(attempts);
    this.log.warn(
      {
        event: event.name,
        message_id: event.messageId,
        request_id: event.requestId,
        attempts,
        reason,
        again_in_ms: delay,
      },
      delay === null ? 'an event was parked' : 'an event comes again later',
    );
    return { id: event.id, attempts, delay, reason };
  }
}

/** As work with an end, so that a database which says nothing any more is given up. */
const inTime = <T>(work: () => Promise<T>): Promise<T> =>
  runOperation({ requestId: randomUUID(), deadline: Date.now() + inHandSeconds * 1_000 }, work);
