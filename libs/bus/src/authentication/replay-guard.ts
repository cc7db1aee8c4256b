/** The numbers of one sender that are remembered; more than can be under way to one app. */
const windowSize = 65_536;

/** The number of senders' processes that are remembered. */
const maxSessions = 1_000;

interface Session {
  readonly seen: Uint32Array;
  highest: number;
  usedAt: number;
}

/**
 * Remembers which messages of each sender's process arrived, by their numbers. Its memory is bounded:
 * 8 KiB for each process that sent something recently.
 */
export class ReplayGuard {
  readonly #sessions = new Map<string, Session>();

  /** @param windowMs the time for which messages are remembered: milliseconds */
  constructor(private readonly windowMs: number) {}

  /** Returns whether the message arrives for the first time, and remembers it. */
  admit(session: string, number: number, now = Date.now()): boolean {
    const known = this.#sessions.get(session) ?? this.#open(session, number, now);
    known.usedAt = now;
    if (number <= known.highest - windowSize) return false;
    // The places of skipped numbers were used by numbers that are forgotten now.
    if (number - known.highest >= windowSize) known.seen.fill(0);
    else for (let next = known.highest + 1; next <= number; next += 1) clear(known.seen, next);
    known.highest = Math.max(known.highest, number);
    return mark(known.seen, number);
  }

  #open(name: string, number: number, now: number): Session {
    if (this.#sessions.size >= maxSessions) this.#forget(now);
    const session = { seen: new Uint32Array(windowSize / 32), highest: number, usedAt: now };
    this.#sessions.set(name, session);
    return session;
  }

  /** Forgets the processes that sent nothing in the window, or else the one that sent nothing for longest. */
  #forget(now: number): void {
    let oldest: [string, Session] | undefined;
    for (const entry of this.#sessions) {
      if (now - entry[1].usedAt > this.windowMs) this.#sessions.delete(entry[0]);
      else if (!oldest || entry[1].usedAt < oldest[1].usedAt) oldest = entry;
    }
    if (this.#sessions.size >= maxSessions && oldest) this.#sessions.delete(oldest[0]);
  }
}

const place = (number: number) => (number % windowSize) >>> 5;
const bit = (number: number) => 1 << (number & 31);

function clear(seen: Uint32Array, number: number): void {
  seen[place(number)]! &= ~bit(number);
}

/** Returns whether the number was not marked before. */
function mark(seen: Uint32Array, number: number): boolean {
  const before = seen[place(number)]!;
  seen[place(number)] = before | bit(number);
  return (before & bit(number)) === 0;
}
