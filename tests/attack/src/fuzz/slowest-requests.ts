import { type Caller, leastTurnMs, maxHeldMs } from '../event-loop-turns.ts';
import type { Target } from '../target.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { Sender } from './sender.ts';

/** How many requests of each kind are sent again, and how often each at most. */
const kept = 3;
const maxRounds = 10;

interface Timed {
  readonly request: FuzzRequest;
  readonly ms: number;
}

/** A request that held an event loop for too long. */
export interface HeldLoop {
  readonly request: FuzzRequest;
  readonly fault: string;
}

const callerOf = ({ isRefused, access }: FuzzRequest): Caller =>
  isRefused || access === 'none' ? 'stranger' : 'client';

/**
 * Notes the requests that took the longest, without and with access. They are sent again one by one, so
 * that the event loop's longest turn is known to be theirs.
 */
export class SlowestRequests {
  readonly #slowest = new Map<string, Timed[]>();
  #longestMs = 0;

  /** The longest turn of an event loop that one request has caused, in milliseconds. */
  get longestMs(): number {
    return this.#longestMs;
  }

  note(request: FuzzRequest, ms: number): void {
    const kind = `${request.server} ${callerOf(request)}`;
    const known = this.#slowest.get(kind) ?? [];
    if (known.length === kept && known.at(-1)!.ms >= ms) return;
    const all = [...known, { request, ms }].toSorted((one, other) => other.ms - one.ms);
    this.#slowest.set(kind, all.slice(0, kept));
  }

  /** Sends the slowest requests again, and forgets them. */
  async repeat(target: Target, sender: Sender): Promise<HeldLoop[]> {
    const requests = [...this.#slowest.values()].flat().map(({ request }) => request);
    this.#slowest.clear();
    const held: HeldLoop[] = [];
    for (const request of requests) {
      const caller = callerOf(request);
      const ms = await leastTurnMs(target, request.server, caller, maxRounds, () =>
        sender.send(request),
      );
      this.#longestMs = Math.max(this.#longestMs, ms);
      if (ms <= maxHeldMs[caller]) continue;
      held.push({ request, fault: `it held the event loop for ${ms.toFixed(0)} ms` });
    }
    return held;
  }
}
