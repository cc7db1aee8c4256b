import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#libs/contracts';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger } from './logging.ts';
import type { OnAppStart } from './on-app-start.ts';
import { runOperation } from './operation.ts';
import { inSpan } from './tracing/spans.ts';

/** Something that an app does again and again, asked by nobody. Times are milliseconds. */
export interface Work {
  /** Names it in the log. */
  readonly name: string;
  /** How long to wait between two rounds. */
  readonly every: number;
  /** How long one round may take. */
  readonly timeLimit: number;
  /** One round; true when there is more to do at once. */
  run(): Promise<boolean | void>;
}

/** The longest wait after a round that failed. */
const retryTime = 5_000;

/**
 * The background work of an app: a provider of its Nest module. Every replica does it, so rounds
 * claim what they work on. A failed round leaves a line in the log and is tried again.
 */
export class BackgroundWork implements OnAppStart, BeforeApplicationShutdown {
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly logger: Logger,
    private readonly works: readonly Work[],
  ) {}

  onAppStart(): void {
    this.#running = Promise.all(this.works.map((work) => this.#repeat(work)));
  }

  /** Begins nothing more and waits for what runs. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #repeat(work: Work): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const wait = await this.#round(work);
      if (wait > 0) await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Does a round and answers how long to wait for the next. */
  #round(work: Work): Promise<number> {
    const operation = { requestId: randomUUID(), deadline: Date.now() + work.timeLimit };
    const span = { name: work.name, kind: 'internal', cause: 'nowhere' } as const;
    return runOperation(operation, async () => {
      try {
        const more = await inSpan(span, () => work.run());
        return more ? 0 : work.every;
      } catch (error) {
        const { code, message } = Failure.from(error);
        this.logger.warn({ work: work.name, code, reason: message }, 'background work failed');
        return Math.min(work.every, retryTime);
      }
    });
  }
}
