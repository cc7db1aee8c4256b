import { Failure, type PackageFinding } from '@registrar/contracts';
import { clock, remainingTimeMs } from '@registrar/platform';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { extname, join } from 'node:path';
import { PackageError, refusal } from './package-error.ts';
import type { PackageBatch } from './package-pieces.ts';
import type { ReaderAnswer, ReaderPurpose, StorableManifest } from './reader-messages.ts';

/** What a process that reads a package may use. */
export const readerLimits = {
  /** The heap beyond V8's young generation, in MiB. Node itself takes some 45 MiB more. */
  heapMb: 48,
  /** The time until the manifest has been read. */
  manifestMs: 60_000,
  /** The time for each batch of files, in which a transaction of the database is idle. */
  batchMs: 30_000,
};
export type ReaderLimits = typeof readerLimits;

/**
 * The time after which requests go before the process, if its manifest is not so large that they do at once. On a busy
 * machine a process of low priority would wait some seconds for the 50 ms that it takes to read an ordinary package.
 */
const normalPriorityMs = 1_000;

/** In suites it is the source, of which Node strips the types. */
const program = join(import.meta.dirname, `reader-process${extname(import.meta.filename)}`);

/**
 * Reads a package in a process of its own. A package that exhausts the memory or the time ends that process alone.
 * A thread is not enough: a large allocation in a worker whose heap is full ends the whole process.
 */
export class PackageReader implements Disposable {
  readonly #process: ChildProcess;
  /** Rejects when the process has ended, and when its time has. */
  readonly #ended: Promise<never>;
  readonly #fail: (reason: Error) => void;
  readonly #keepPriority: () => void;

  /** @param file the descriptor of the zip file */
  constructor(
    file: number,
    purpose: ReaderPurpose,
    private readonly limits = readerLimits,
  ) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.#ended = promise;
    this.#fail = reject;
    this.#process = fork(program, [purpose], {
      execArgv: [`--max-old-space-size=${limits.heapMb}`, '--max-semi-space-size=4'],
      // No other variable: they have secrets. Without a cache, suites compile the reader's source for each package.
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      serialization: 'advanced',
      // What V8 prints when the heap is exhausted is no line of the log.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', file],
    })
      .on('error', reject)
      .once('exit', (code, signal) => {
        this.#keepPriority();
        reject(endOf(code, signal, limits));
      });
    const { pid } = this.#process;
    this.#keepPriority = clock.schedule(normalPriorityMs, () => {
      if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    });
  }

  /**
   * Checks the package: its manifest, and whether all files can be unpacked.
   *
   * @returns what was found, which keeps no import from succeeding
   * @throws {PackageError} with what was found, if an import would fail
   * @throws {Failure} `expired` after the deadline of the request
   */
  async check(): Promise<readonly PackageFinding[]> {
    let timeoutMs = this.limits.manifestMs;
    for (;;) {
      const answer = await this.#ask(timeoutMs);
      if ('findings' in answer) return answer.findings;
      if (remainingTimeMs() <= 0) throw new Failure('expired', 'the check took too long');
      timeoutMs = this.limits.batchMs;
    }
  }

  /**
   * Reads the manifest. Comes first in an import.
   *
   * @throws {PackageError}
   */
  async readManifest(): Promise<StorableManifest> {
    const answer = await this.#ask(this.limits.manifestMs);
    if (!('manifest' in answer)) throw new Error('the reader of a package has no manifest');
    return answer.manifest;
  }

  /**
   * Unpacks the files, each batch when the one before it has been consumed.
   *
   * @throws {PackageError}
   */
  async *batches(): AsyncGenerator<PackageBatch> {
    for (;;) {
      const answer = await this.#ask(this.limits.batchMs);
      if (!('batch' in answer)) return;
      yield answer.batch;
    }
  }

  [Symbol.dispose](): void {
    this.#keepPriority();
    this.#process.kill('SIGKILL');
  }

  async #ask(timeoutMs: number): Promise<ReaderAnswer> {
    const cancel = clock.schedule(timeoutMs, () =>
      this.#fail(
        refusal(
          'package-too-complex',
          `The package takes more than ${timeoutMs / 1000} s to read.`,
        ),
      ),
    );
    try {
      const message = once(this.#process, 'message') as Promise<[ReaderAnswer]>;
      // The end of the process rejects too, and says why.
      this.#process.send('next', () => undefined);
      const [answer] = await Promise.race([message, this.#ended]);
      if ('refusal' in answer) throw new PackageError(answer.refusal);
      if ('failure' in answer) throw new Error(answer.failure);
      return answer;
    } finally {
      cancel();
    }
  }
}

/** The exit code of a process that V8 ended, where there are no signals. */
const abortCode = 134;

/** V8, and a system without memory, end a process by a signal. */
const endOf = (
  code: number | null,
  signal: string | null,
  { heapMb }: typeof readerLimits,
): Error =>
  signal !== null || code === abortCode
    ? refusal('package-too-complex', `The package takes more than ${heapMb} MiB of memory to read.`)
    : new Error(`the process that reads a package ended with exit code ${code}`);
