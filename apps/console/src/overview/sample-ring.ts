import type { History, OutboxOverview, Sample } from './overview.ts';
import { quantileMs, type RequestCounts, sumOfCounts } from './request-counts.ts';

/** What has arrived for a sample that is not complete. */
interface Open {
  readonly start: number;
  readonly served: RequestCounts[];
  outbox: OutboxOverview | null;
}

/** The last samples of a length: as many as fit, the oldest go. */
export class SampleRing {
  readonly #samples: Sample[] = [];
  #open: Open | null = null;

  constructor(
    private readonly stepMs: number,
    private readonly size: number,
  ) {}

  /**
   * Adds a report.
   *
   * @returns the sample that this report, which is of a later time, has completed; else null
   */
  add(now: number, served: RequestCounts | null, outbox: OutboxOverview | null): Sample | null {
    const start = now - (now % this.stepMs);
    let complete: Sample | null = null;
    if (this.#open?.start !== start) {
      complete = this.#open && this.#sampleOf(this.#open);
      if (complete) this.restore(complete);
      this.#open = { start, served: [], outbox: null };
    }
    if (served) this.#open.served.push(served);
    this.#open.outbox = outbox;
    return complete;
  }

  /** Adds a sample that is complete. */
  restore(sample: Sample): void {
    this.#samples.push(sample);
    if (this.#samples.length > this.size) this.#samples.shift();
  }

  history(): History {
    const open = this.#open && this.#sampleOf(this.#open);
    return {
      stepSeconds: this.stepMs / 1_000,
      samples: open ? [...this.#samples, open] : [...this.#samples],
    };
  }

  #sampleOf({ start, served, outbox }: Open): Sample {
    const sum = sumOfCounts(served);
    const perSecond = (count: number) => (1_000 * count) / this.stepMs;
    const isKnown = served.length > 0;
    return {
      at: new Date(start).toISOString(),
      requestsPerSecond: isKnown ? perSecond(sum.total) : null,
      failuresPerSecond: isKnown ? perSecond(sum.failed ?? 0) : null,
      p95Ms: quantileMs(sum, 0.95),
      outboxWaiting: outbox?.waiting ?? null,
      outboxOldestSeconds: outbox?.oldestSeconds ?? null,
      parkedEvents: outbox?.parked ?? null,
    };
  }
}
