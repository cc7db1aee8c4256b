import { Failure } from '@registrar/contracts';
import { clock, sampledGauge } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { Gauge, Histogram, Registry } from 'prom-client';
import { calls } from '../calls/calls.ts';
import { Sessions } from '../sessions/sessions.ts';

/** Upper bounds of the histogram of calls: seconds. */
const buckets = [0.01, 0.05, 0.1, 0.3, 1, 5, 25];

/** The metrics of the console (docs/operations.md, Monitoring). */
@Injectable()
export class ConsoleMetrics {
  readonly #calls: Histogram<'call' | 'outcome'>;
  /** Streams of server-sent events that are open. */
  readonly liveStreams: Gauge;
  /** Exports that are being sent. */
  readonly exports: Gauge;

  constructor(registry: Registry, sessions: Sessions) {
    const registers = [registry];
    this.#calls = new Histogram({
      name: 'registrar_console_call_seconds',
      help: 'Duration of the calls of pages, by outcome.',
      labelNames: ['call', 'outcome'],
      buckets,
      registers,
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const call of Object.keys(calls)) this.#calls.zero({ call, outcome: 'done' });
    this.liveStreams = new Gauge({
      name: 'registrar_console_live_streams',
      help: 'Open streams of server-sent events.',
      registers,
    });
    this.exports = new Gauge({
      name: 'registrar_console_exports',
      help: 'Exports that are being sent.',
      registers,
    });
    const described = { name: 'registrar_console_sessions', help: 'Sessions that have not ended.' };
    sampledGauge(registry, described, () => sessions.count());
  }

  /** Makes a call by `make`, and records its duration and outcome. */
  async timeCall<T>(call: string, make: () => Promise<T>): Promise<T> {
    const begun = clock.monotonic();
    let outcome = 'done';
    try {
      return await make();
    } catch (error) {
      outcome = Failure.from(error).code;
      throw error;
    } finally {
      this.#calls.observe({ call, outcome }, (clock.monotonic() - begun) / 1_000);
    }
  }
}
