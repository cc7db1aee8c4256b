import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Round } from '../results.ts';
import { cpuBetween, cpuTimesOf, memoryMbOf, type Processes } from '../system/process-usage.ts';

/** A request of a load. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** A body, in which `[<id>]` is replaced by a new id in each request. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The pace of a load: a number of clients that each wait for the response (closed loop), or a constant
 * number of requests a second, whether they are answered or not (open loop).
 */
export type Pace = { readonly connections: number } | { readonly perSecond: number };

/** A load on one system. */
export interface HttpLoad {
  /** The same origin in all of them; they are sent in turn. */
  readonly requests: readonly HttpRequest[];
  readonly pace: Pace;
  /** The status of every response, or the statuses of requests that differ. */
  readonly status: number | readonly number[];
}

/** The input of the load process: a load and the times in milliseconds. */
export interface HttpLoadCommand extends HttpLoad {
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

/** What the load process reports: that the measured time begins, and what it has seen at the end of it. */
export type HttpLoadReport =
  | { readonly event: 'begin' }
  | {
      readonly event: 'end';
      readonly elapsedMs: number;
      /** Of each response; in an open loop from the intended start of the request. */
      readonly latenciesMs: readonly number[];
      /** What was not as expected, such as `503`, and how often. */
      readonly unexpected: Readonly<Record<string, number>>;
    };

const times = { warmUpMs: 700, measuredMs: 1_500 };

/** A load generator in a process of its own (http-load-process.ts). */
export class HttpLoadGenerator {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<HttpLoadGenerator> {
    const child = fork(fileURLToPath(new URL('./http-load-process.js', import.meta.url)));
    await once(child, 'message');
    return new HttpLoadGenerator(child);
  }

  /**
   * Measures a load, with the processor time of the system's processes and of this generator while the load
   * goes on.
   *
   * @throws {Error} if any response has another status
   */
  async measure(load: HttpLoad, processes: Processes): Promise<Round> {
    const all = { ...processes, clients: { pids: [this.child.pid ?? 0] } };
    const begun = this.#next('begin');
    this.child.send({ ...load, ...times } satisfies HttpLoadCommand);
    await begun;
    const before = cpuTimesOf(all);
    const { latenciesMs, elapsedMs, unexpected } = await this.#next('end');
    const after = cpuTimesOf(all);
    if (Object.keys(unexpected).length > 0 || latenciesMs.length === 0) {
      const seen = JSON.stringify(unexpected);
      throw new Error(
        `${load.requests[0]?.url}: not every response had ${load.status.toString()}: ${seen}`,
      );
    }
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    const percentile = (part: number) => sorted[Math.floor(sorted.length * part)] ?? NaN;
    return {
      rate: (latenciesMs.length * 1_000) / elapsedMs,
      p50Ms: percentile(0.5),
      p99Ms: percentile(0.99),
      cpuMs: cpuBetween(before, after, latenciesMs.length),
      memoryMb: memoryMbOf(processes),
    };
  }

  stop(): void {
    this.child.kill();
  }

  async #next<Event extends HttpLoadReport['event']>(event: Event) {
    const [report] = (await once(this.child, 'message')) as [HttpLoadReport];
    if (report.event !== event) throw new Error(`the load process reported ${report.event}`);
    return report as Extract<HttpLoadReport, { event: Event }>;
  }
}
