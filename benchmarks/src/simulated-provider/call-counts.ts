/** What a provider counts of the calls of one application. */
export interface ApplicationCalls {
  readonly calls: number;
  /** The most calls in any second, and in any minute. */
  readonly mostInSecond: number;
  readonly mostInMinute: number;
}

/** What a provider counts of its calls. */
export interface CallReport {
  /** Number of calls by operation. */
  readonly calls: Readonly<Record<string, number>>;
  /** By the id of the application. One that did not call is absent. */
  readonly applications: Readonly<Record<string, ApplicationCalls>>;
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

class ApplicationCounts {
  #calls = 0;
  readonly #second = new SlidingWindow(1_000);
  readonly #minute = new SlidingWindow(60_000);

  add(at: number): void {
    this.#calls += 1;
    this.#second.add(at);
    this.#minute.add(at);
  }

  report(): ApplicationCalls {
    return {
      calls: this.#calls,
      mostInSecond: this.#second.most,
      mostInMinute: this.#minute.most,
    };
  }
}

/** Counts calls by operation, and by application in sliding windows of a second and of a minute. */
export class CallCounts {
  #calls: Record<string, number> = {};
  #applications = new Map<string, ApplicationCounts>();

  /** @param at milliseconds; never less than before */
  count(application: string, operation: string, at: number): void {
    this.#calls[operation] = (this.#calls[operation] ?? 0) + 1;
    const counts = this.#applications.get(application) ?? new ApplicationCounts();
    this.#applications.set(application, counts);
    counts.add(at);
  }

  /** Returns the counts since the last report, and begins anew. */
  take(): CallReport {
    const applications = [...this.#applications].map(
      ([application, counts]) => [application, counts.report()] as const,
    );
    const report = {
      calls: this.#calls,
      applications: Object.fromEntries(applications),
      mostInSecond: Math.max(0, ...applications.map(([, { mostInSecond }]) => mostInSecond)),
      mostInMinute: Math.max(0, ...applications.map(([, { mostInMinute }]) => mostInMinute)),
    };
    this.#calls = {};
    this.#applications = new Map();
    return report;
  }
}
