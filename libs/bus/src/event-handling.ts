import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '@registrar/persistence';
import type { BusServer } from './bus-server.ts';
import type { ArrivingEvent } from './event-message.ts';
import { handleOnce, handleTogether } from './inbox.ts';
import { maxTogether } from './message-context.ts';

interface WaitingEvent {
  readonly event: ArrivingEvent;
  resolve(): void;
  reject(error: unknown): void;
}

/** Handles the events that arrive at an app, each once (`@HandleEvent`, `@HandleEvents`). */
export class EventHandling {
  /** The events that wait for others of their name to be handled. */
  readonly #waiting = new Map<string, WaitingEvent[]>();

  constructor(
    private readonly database: Database,
    private readonly server: BusServer,
  ) {}

  /** Resolves when the event's effect is committed. @throws what its handler throws */
  handle(event: ArrivingEvent): Promise<void> {
    const { name } = event;
    if (this.server.eventDelivery(name) !== 'together') {
      return handleOnce(this.database, this.server, event);
    }
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

  async #handleWaiting(name: string): Promise<void> {
    for (;;) {
      // Others that arrive in the same turn are handled together with this one.
      await nextTurn();
      const batch = this.#waiting.get(name)?.splice(0, maxTogether) ?? [];
      if (batch.length === 0) break;
      const events = batch.map(({ event }) => event);
      const outcomes = await handleTogether(this.database, this.server, events);
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') batch[index]?.resolve();
        else batch[index]?.reject(outcome.reason);
      }
    }
    this.#waiting.delete(name);
  }
}
