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
import { PruneApiKeys } from './api-keys/prune-api-keys.ts';

/** How often expired api keys are looked for, and how long that may take: milliseconds. */
const interval = 60 * 60_000;
const timeLimit = 60_000;

/** Forgets api keys that have expired. Every replica may. */
@Injectable()
export class Background implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly pruneApiKeys: PruneApiKeys,
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
      await this.prune();
      await pause(interval, undefined, { signal }).catch(() => undefined);
    }
  }

  private async prune(): Promise<void> {
    const operation = { requestId: randomUUID(), deadline: Date.now() + timeLimit };
    try {
      await runOperation(operation, () => this.pruneApiKeys.run());
    } catch (error) {
      const { code, message } = Failure.from(error);
      this.logger.warn({ code, reason: message }, 'expired api keys could not be forgotten');
    }
  }
}
