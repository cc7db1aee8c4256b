import { clock } from '@registrar/platform';
import type { Caller } from './reply-batches.ts';

/** How often callers are told which of their requests a replica has: milliseconds. */
export const signIntervalMs = 250;

/** How often a replica without requests looks whether it was stopped: milliseconds. An idle process is woken up rarely. */
const idleIntervalMs = 1_000;

/** A process that has not looked for this time was stopped, or had no processor: milliseconds. */
const stopMs = 1_250;

interface RequestInHand {
  readonly caller: Caller;
  readonly id: number;
  /** Whether the next sign names it: it was there at the last sign, or will have been for a whole interval. */
  isOld: boolean;
}

/**
 * The requests that this replica has and has not answered. It tells their callers at an interval that it works on them:
 * from the lack of such a sign a caller concludes that the replica is frozen, and sends the request to another one. What
 * is answered sooner costs no message. It also notices when this process itself was frozen.
 */
export class RequestsInHand {
  readonly #all = new Set<RequestInHand>();
  #timer: NodeJS.Timeout | null = null;
  #intervalMs = idleIntervalMs;
  #signedAt = Infinity;
  #stops = 0;

  constructor(private readonly tell: (caller: Caller, ids: readonly number[]) => void) {}

  start(): void {
    this.#signEvery(this.#all.size > 0 ? signIntervalMs : idleIntervalMs);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#signedAt = Infinity;
  }

  #signEvery(ms: number): void {
    if (this.#timer) clearInterval(this.#timer);
    this.countStops();
    this.#intervalMs = ms;
    this.#signedAt = clock.monotonic();
    this.#timer = setInterval(() => this.#sign(), ms).unref();
  }

  /** @returns a function that ends it, to be called when the request is answered */
  add(caller: Caller, id: number): () => void {
    const wasIdle = this.#timer !== null && this.#intervalMs === idleIntervalMs;
    // The next sign is a whole interval away then.
    const request = { caller, id, isOld: wasIdle };
    this.#all.add(request);
    if (wasIdle) this.#signEvery(signIntervalMs);
    return () => this.#all.delete(request);
  }

  /**
   * How often the timer of this process was silent for longer than 1.25 s: after each stop of that length, and after
   * shorter ones late in an interval.
   */
  countStops(): number {
    const now = clock.monotonic();
    if (now - this.#signedAt > stopMs) {
      this.#stops += 1;
      this.#signedAt = now;
    }
    return this.#stops;
  }

  #sign(): void {
    this.countStops();
    this.#signedAt = clock.monotonic();
    if (this.#all.size === 0 && this.#intervalMs !== idleIntervalMs)
      this.#signEvery(idleIntervalMs);
    const idsOfCallers = new Map<string, { caller: Caller; ids: number[] }>();
    for (const request of this.#all) {
      const { caller, id, isOld } = request;
      request.isOld = true;
      if (!isOld) continue;
      const of = idsOfCallers.get(caller.replyTo);
      if (of) of.ids.push(id);
      else idsOfCallers.set(caller.replyTo, { caller, ids: [id] });
    }
    for (const { caller, ids } of idsOfCallers.values()) this.tell(caller, ids);
  }
}
