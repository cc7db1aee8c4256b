import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Failure } from '@registrar/contracts';
import type { Database } from '@registrar/persistence';
import { clock, logFailedWork, type Logger, runInRequestContext } from '@registrar/platform';
import { lastValueFrom } from 'rxjs';
import type { BusClient } from './bus-client.ts';
import {
  relayTimeoutSeconds,
  lockEvents,
  type LockedEvent,
  postponeEvents,
  removeEvents,
} from './outbox-rows.ts';
import { nextDelayMs, retryDelaysMs } from './retry-ladder.ts';

/** Milliseconds between two polls of the outbox. */
export const pollIntervalMs = 1_000;

/** The client by which events are delivered. */
export type EventCarrier = Pick<BusClient, 'usable' | 'emit'>;

/**
 * Delivers the events of an app's outbox: as soon as a transaction that published some commits, and
 * by polling every second, because the replica that published an event may have died.
 */
export class OutboxRelay {
  /** Runs a function outside of the caller's request context and transaction. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #cancelPoll: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly carrier: EventCarrier,
    private readonly log: Logger,
  ) {}

  /** Relays now, and again at every interval until {@link stop}. */
  start(): void {
    this.#cancelPoll = clock.schedule(pollIntervalMs, () => this.start());
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
        return;
      }
    }
  }

  /** Relays a batch; resolves with whether there may be more due events. */
  private relayBatch(): Promise<boolean> {
    return this.database.transaction(async () => {
      const { events, more } = await lockEvents(this.database);
      const outcomes = await this.#outside(() =>
        Promise.allSettled(
          events.map((event) => lastValueFrom(this.carrier.emit<void>(event.name, event))),
        ),
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
    // An unreachable subscriber is not the event's fault: the attempt does not count.
    const isUnavailable = code === 'unavailable';
    const attempts = isUnavailable ? event.attempts : event.attempts + 1;
    const delayMs = isUnavailable ? retryDelaysMs[0] : nextDelayMs(attempts);
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
    return { id: event.id, attempts, delayMs, reason };
  }
}

/** Runs `work` with a deadline, so that a hanging database does not block the relay. */
const withinRelayTimeout = <T>(work: () => Promise<T>): Promise<T> =>
  runInRequestContext(
    { requestId: randomUUID(), deadline: clock.now() + relayTimeoutSeconds * 1_000 },
    work,
  );
