import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, sql } from '@registrar/persistence';
import { clock, runInRequestContext, withDeadline } from '@registrar/platform';
import { ArrivedEvents } from './arrived-events.ts';
import type { BusServer } from './bus-server.ts';
import type { ArrivingEvent } from './event-message.ts';
import type { EventOutcome } from './bus-metrics.ts';
import { inProcessSpan } from './event-spans.ts';

/** The time limit for the handlers of one event: milliseconds. */
const handlingTimeoutMs = 30_000;

/** The most events that are handled together. */
const maxTogether = 128;

interface WaitingEvent {
  readonly event: ArrivingEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Handles the events that arrive at an app, each once (`@HandleEvent`, `@HandleEvents`). */
export class Inbox {
  /** The events that wait for others of their name to be handled. */
  readonly #waiting = new Map<string, WaitingEvent[]>();

  constructor(
    private readonly database: Database,
    private readonly server: BusServer,
  ) {}

  /**
   * Handles an event, together with others of its name that arrive, if its handler takes many. Resolves when
   * the event's effect is committed.
   *
   * @throws what its handler throws
   */
  handle(event: ArrivingEvent): Promise<void> {
    const { name } = event;
    if (!this.#isTakenTogether(event)) return this.handleOnce(event);
    return new Promise((resolve, reject) => {
      const entry = { event, resolve, reject };
      const waiting = this.#waiting.get(name);
      if (waiting) {
        waiting.push(entry);
        return;
      }
      this.#waiting.set(name, [entry]);
      void this.#handleWaiting(name);
    });
  }

  /** Handles an event in one transaction with its inbox row, and discards a duplicate. */
  handleOnce(event: ArrivingEvent): Promise<void> {
    return this.#inHandling(event, (deadline) =>
      this.#isTakenTogether(event)
        ? this.#handleByStatement([event], deadline)
        : this.#handleInTransaction(event, deadline),
    );
  }

  #isTakenTogether({ name }: ArrivingEvent): boolean {
    return this.server.eventDelivery(name) === 'together';
  }

  async #handleWaiting(name: string): Promise<void> {
    for (;;) {
      // Others that arrive in the same turn are handled together with this one.
      await nextTurn();
      const batch = this.#waiting.get(name)?.splice(0, maxTogether) ?? [];
      if (batch.length === 0) break;
      await this.#handleTogether(batch);
    }
    this.#waiting.delete(name);
  }

  /**
   * Handles events of one name by one statement with their inbox rows, and discards duplicates. When
   * that fails, handles each alone, so that only the one at fault fails.
   */
  async #handleTogether(batch: readonly WaitingEvent[]): Promise<void> {
    const events = batch.map(({ event }) => event);
    let started: Promise<ReadonlySet<string>> | undefined;
    const handle = (event: ArrivingEvent) =>
      this.#inHandling(event, (deadline) => {
        started ??= this.#handleByStatement(events, deadline);
        return started.catch(() => this.#handleByStatement([event], deadline));
      });
    await Promise.all(
      batch.map(({ event, resolve, reject }) =>
        (batch.length > 1 ? handle(event) : this.handleOnce(event)).then(resolve, reject),
      ),
    );
  }

  /**
   * Runs `handle` in the request context and the span of an event, and counts the outcome.
   *
   * @param handle resolves with the ids of the messages that were handled; others are duplicates
   */
  async #inHandling(
    event: ArrivingEvent,
    handle: (deadline: number) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    const { name, messageId, requestId } = event;
    const deadline = clock.now() + handlingTimeoutMs;
    let outcome: EventOutcome = 'failed';
    try {
      outcome = await runInRequestContext({ requestId, deadline }, () =>
        inProcessSpan(event, async () =>
          (await handle(deadline)).has(messageId) ? 'handled' : 'duplicate',
        ),
      );
    } finally {
      this.server.metrics.countEvent(name, outcome);
    }
  }

  #handleInTransaction(event: ArrivingEvent, deadline: number): Promise<ReadonlySet<string>> {
    const { messageId, name } = event;
    return this.database.transaction(async () => {
      const inserted = await this.database.execute(
        sql`INSERT INTO inbox (message_id) VALUES (${messageId}) ON CONFLICT DO NOTHING`,
      );
      if (inserted === 0) return new Set<string>();
      await withDeadline(this.server.dispatchEvent(event), deadline, name);
      return new Set([messageId]);
    });
  }

  async #handleByStatement(
    events: readonly ArrivingEvent[],
    deadline: number,
  ): Promise<ReadonlySet<string>> {
    const [first] = events;
    if (!first) return new Set();
    const arrived = new ArrivedEvents(this.database, events);
    await withDeadline(this.server.dispatchEvent(first, arrived), deadline, first.name);
    return arrived.inserted;
  }
}
