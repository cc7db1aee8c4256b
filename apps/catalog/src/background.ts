import { Failure } from '#libs/contracts';
import { appLogger, type Logger, runOperation } from '#libs/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PendingCreates } from './courses/pending-creates.ts';
import { PackageUploads } from './packages/package-uploads.ts';

/** How often what is old is looked for, and how long that may take: milliseconds. */
const interval = 10 * 60_000;
const timeLimit = 60_000;

/** Forgets uploads that nobody asks for any more, and creates whose course never came. Every replica may. */
@Injectable()
export class Background implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly uploads: PackageUploads,
    private readonly pendingCreates: PendingCreates,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.repeat();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  private async repeat(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.forgetOld();
      await pause(interval, undefined, { signal }).catch(() => undefined);
    }
  }

  private async forgetOld(): Promise<void> {
    const operation = { requestId: randomUUID(), deadline: Date.now() + timeLimit };
    try {
      await runOperation(operation, async () => {
        await this.uploads.forgetOld();
        await this.pendingCreates.forgetOld();
      });
    } catch (error) {
      const { code, message } = Failure.from(error);
      this.logger.warn({ code, reason: message }, 'what is old could not be forgotten');
    }
  }
}
