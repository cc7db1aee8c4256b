import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What becomes of a request: an answer, 503, or anything else. */
export type Outcome = 'done' | 'shed' | 'failed';

/** What is asked: `calls` again and again, in turn; a body's LEARNER is new each time. */
export interface Load {
  readonly calls: readonly { readonly url: string; readonly body?: string }[];
  readonly seconds: number;
  readonly offered: { readonly clients: number } | { readonly perSecond: number };
}

/** How long requests took, from their sending to the last byte of the answer: milliseconds. */
export interface Times {
  readonly count: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

export interface LoadResult extends Readonly<Record<Outcome, Times>> {
  readonly sentPerSecond: number;
  readonly donePerSecond: number;
  /** How many processors the generator took, and by how much it was late itself (99 %, ms). */
  readonly generator: { readonly processors: number; readonly delay: number };
}

/** A process that asks on command (load-process.ts). */
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

  stop(): void {
    this.child.kill();
  }
}
