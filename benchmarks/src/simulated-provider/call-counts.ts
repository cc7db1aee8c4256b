/** What a provider counts of its calls. */
export interface CallReport {
  /** Number of calls by operation. */
  readonly calls: Readonly<Record<string, number>>;
  /** The most calls of one application in any second, and in any minute. */
  readonly mostInSecond: number;
  readonly mostInMinute: number;
}

/** Times that have left a window are dropped in pieces of this size. */
const dropSize = 10_000;

/** The times of the calls within a duration before the newest one, and the most there ever were. */
class SlidingWindow {
  most = 0;
  readonly #times: number[] = [];
  #first = 0;

  constructor(private readonly durationMs: number) {}

  add(at: number): void {
    this.#times.push(at);
    while ((this.#times[this.#first] ?? at) <= at - this.durationMs) this.#first += 1;
    this.most = Math.max(this.most, this.#times.length - this.#first);
    if (this.#first < dropSize) return;
    this.#times.splice(0, this.#first);
    this.#first = 0;
  }
}

/** Counts calls by operation, and by application in sliding windows of a second and of a minute. */
export class CallCounts {
  #calls: Record<string, number> = {};
  #windows = new Map<string, { second: SlidingWindow; minute: SlidingWindow }>();

  /** @param at milliseconds; never less than before */
  count(application: string, operation: string, at: number): void {
    this.#calls[operation] = (this.#calls[operation] ?? 0) + 1;
    const windows = this.#windows.get(application) ?? {
      second: new SlidingWindow(1_000),
      minute: new SlidingWindow(60_000),
    };
    this.#windows.set(application, windows);
    windows.second.add(at);
    windows.minute.add(at);
  }

  /** Returns the counts since the last report, and begins anew. */
  take(): CallReport {
    const windows = [...this.#windows.values()];
    const report = {
      calls: this.#calls,
      mostInSecond: Math.max(0, ...windows.map(({ second }) => second.most)),
      mostInMinute: Math.max(0, ...windows.map(({ minute }) => minute.most)),
    };
    this.#calls = {};
    this.#windows = new Map();
    return report;
  }
}
