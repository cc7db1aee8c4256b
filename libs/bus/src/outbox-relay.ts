import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Failure } from '@registrar/contracts';
import type { Database } from '@registrar/persistence';
import {
  activity,
  clock,
  logFailedWork,
  type Logger,
  type Pace,
  runInRequestContext,
} from '@registrar/platform';
import { lastValueFrom } from 'rxjs';
import type { BusClient } from './bus-client.ts';
import { postponeEvents, type TakenEvent, takeEvents } from './outbox-rows.ts';
import { nextAttempt } from './retry-ladder.ts';

/**
 * The time limit of a batch, longer than any event is handled: milliseconds. PostgreSQL ends the transaction of a
 * relay that hangs after the same time (`idle_in_transaction_session_timeout`).
 */
const relayTimeoutMs = 40_000;

/** How often the outbox is polled. */
const pollPace = { everyMs: 1_000, restMs: 10_000 };

/** The same while the database or the carrier fails. */
const retryPace = { everyMs: 1_000, restMs: 1_000 };

/** The client by which events are delivered. */
export type EventCarrier = Pick<BusClient, 'usable' | 'emit'>;

/**
 * Delivers the events of an app's outbox: as soon as a transaction that published some commits, and
 * by polling, because the replica that published an event may have died. What this replica has postponed is delivered
 * when its delay ends.
 */
export class OutboxRelay {
  /** Runs a function outside of the caller's request context and transaction. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #cancelPoll: () => void = () => undefined;
  /** Functions that cancel the next attempts at events that were postponed. */
  readonly #retries = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly carrier: EventCarrier,
    private readonly log: Logger,
  ) {}

  /** Relays now, and again at every interval until {@link stop}. */
  start(): void {
    this.pollAfter(this.carrier.usable ? pollPace : retryPace);
    this.relayNow();
  }

  relayNow(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#outside(() => this.run()).finally(() => {
      this.#running = null;
      if (this.#again) this.relayNow();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelPoll();
    for (const cancel of this.#retries) cancel();
    await this.#running;
  }

  private async run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        while (
          this.carrier.usable &&
          !this.#stopped &&
          (await withinRelayTimeout(() => this.relayBatch()))
        );
      } catch (error) {
        const { message: reason } = Failure.from(error);
        const repeated = 'relaying the outbox failed and will be repeated';
        logFailedWork(this.log, error, { reason }, repeated);
        this.pollAfter(retryPace);
        return;
      }
    }
  }

  private pollAfter(pace: Pace): void {
    if (this.#stopped) return;
    this.#cancelPoll();
    this.#cancelPoll = activity.schedule(pace, () => this.start());
  }

  /** Relays again after a pause: milliseconds. */
  private relayIn(pauseMs: number): void {
    if (this.#stopped) return;
    const cancel = clock.schedule(pauseMs, () => {
      this.#retries.delete(cancel);
      this.relayNow();
    });
    this.#retries.add(cancel);
  }

  /** Relays a batch; resolves with whether there may be more due events. */
  private relayBatch(): Promise<boolean> {
    return this.database.transaction(async () => {
      const { events, more } = await takeEvents(this.database);
      if (events.length > 0) activity.note();
      const outcomes = await this.#outside(() =>
        Promise.allSettled(
          events.map((event) => lastValueFrom(this.carrier.emit<void>(event.name, event))),
        ),
      );
      const postponements = events.flatMap((event, index) => {
        const outcome = outcomes[index];
        return outcome?.status === 'rejected' ? [this.postponement(event, outcome.reason)] : [];
      });
      if (postponements.length > 0) {
        await postponeEvents(this.database, postponements);
        const delays = postponements.flatMap(({ delayMs }) => delayMs ?? []);
        if (delays.length > 0) this.database.afterCommit(() => this.relayIn(Math.min(...delays)));
      }
      return more;
    });
  }

  private postponement(event: TakenEvent, error: unknown) {
    const next = nextAttempt(error, event.attempts);
    const { attempts, delayMs, reason } = next;
    const fields = {
      event: event.name,
      message_id: event.messageId,
      request_id: event.requestId,
      attempts,
      reason,
      again_in_ms: delayMs,
    };
    const outcome = delayMs === null ? 'an event was parked' : 'an event will be retried';
    logFailedWork(this.log, error, fields, outcome);
    return { ...event, ...next };
  }
}

/** Runs `work` with a deadline, so that a hanging database does not block the relay. */
const withinRelayTimeout = <T>(work: () => Promise<T>): Promise<T> =>
  runInRequestContext({ requestId: randomUUID(), deadline: clock.now() + relayTimeoutMs }, work);
