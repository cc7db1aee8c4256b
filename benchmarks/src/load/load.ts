import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The outcome of a request: success, 503, or any other result. */
export type Outcome = 'done' | 'shed' | 'failed';

/** The load: `calls` are repeated in turn; LEARNER in a body is replaced by a new learner. */
export interface Load {
  readonly calls: readonly { readonly url: string; readonly body?: string }[];
  readonly seconds: number;
  readonly offered: { readonly clients: number } | { readonly perSecond: number };
  /** Addresses of the loopback interface that the clients have, in turn; without them, that of localhost. */
  readonly addresses?: readonly string[];
}

/** Latencies from sending to the last byte of the response in milliseconds. */
export interface Times {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
}

export interface LoadResult extends Readonly<Record<Outcome, Times>> {
  readonly sentPerSecond: number;
  readonly donePerSecond: number;
  /** Processors that the generator used, and its own delay (p99 in milliseconds). */
  readonly generator: { readonly processors: number; readonly delay: number };
}

/** Controls the load generator process (load-process.ts). */
export class LoadGenerator {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<LoadGenerator> {
    const child = fork(fileURLToPath(new URL('./load-process.js', import.meta.url)));
    await once(child, 'message');
    return new LoadGenerator(child);
  }

  async offer(load: Load): Promise<LoadResult> {
    const answered = once(this.child, 'message') as Promise<[LoadResult]>;
    this.child.send(load);
    const [result] = await answered;
    return result;
  }

  /** Lets all other processes of the machine go first, as if the clients had a machine of their own. */
  yieldProcessor(): void {
    setPriority(this.child.pid ?? 0, constants.priority.PRIORITY_LOW);
  }

  stop(): void {
    this.child.kill();
  }
}
