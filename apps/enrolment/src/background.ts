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
import { InitialiseRegistrations } from './registrations/initialise-registrations.ts';
import { SettleRegistrations } from './registrations/settle-registrations.ts';
import { VerifyMissed } from './registrations/verify-missed.ts';

/** Work that nobody asked for: one batch of it, and how many pieces the batch had. */
interface Work {
  readonly name: string;
  run(): Promise<number>;
}

/** How long idle work waits before it looks again, and how long one batch may take: milliseconds. */
const idleTime = 5_000;
const batchTime = 30_000;

/** Does the work that creates and sweeps leave behind. Every replica may: batches are claimed. */
@Injectable()
export class Background implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly initialiseRegistrations: InitialiseRegistrations,
    private readonly settleRegistrations: SettleRegistrations,
    private readonly verifyMissed: VerifyMissed,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = Promise.all(
      [
        { name: 'initialise registrations', run: () => this.initialiseRegistrations.run() },
        { name: 'settle registrations', run: () => this.settleRegistrations.run() },
        { name: 'verify missed registrations', run: () => this.verifyMissed.run() },
      ].map((work) => this.repeat(work)),
    );
  }

  /** Takes no further batch and waits for those that run. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  private async repeat(work: Work): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const pieces = await this.batch(work);
      if (pieces === 0) await pause(idleTime, undefined, { signal }).catch(() => undefined);
    }
  }

  private async batch(work: Work): Promise<number> {
    const operation = { requestId: randomUUID(), deadline: Date.now() + batchTime };
    try {
      return await runOperation(operation, () => work.run());
    } catch (error) {
      const { code, message } = Failure.from(error);
      this.logger.warn({ work: work.name, code, reason: message }, 'background work failed');
      return 0;
    }
  }
}
