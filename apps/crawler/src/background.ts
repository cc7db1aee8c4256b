import { Failure } from '#libs/contracts';
import { appLogger, type Logger } from '#libs/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { KnownApplications } from './applications/known-applications.ts';
import { CrawlHistory } from './crawls/crawl-history.ts';
import { inTime } from './crawls/in-time.ts';

/** Work that comes round by itself; times are milliseconds. */
interface Work {
  readonly name: string;
  readonly every: number;
  run(): Promise<void>;
}

/** How long to wait after a failure, and how long one round may take. */
const retryTime = 2_000;
const workTime = 30_000;

/** What the crawler does beside crawling. Every replica does it. */
@Injectable()
export class Background implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly knownApplications: KnownApplications,
    private readonly history: CrawlHistory,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const works: Work[] = [
      {
        name: 'ask for provider applications',
        every: 300_000,
        run: () => this.knownApplications.refresh(),
      },
      { name: 'prune the history', every: 3_600_000, run: () => this.history.prune() },
    ];
    this.#running = Promise.all(works.map((work) => this.repeat(work)));
  }

  /** Begins nothing more and waits for what runs. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  private async repeat(work: Work): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const done = await this.round(work);
      const time = done ? work.every : retryTime;
      await pause(time, undefined, { signal }).catch(() => undefined);
    }
  }

  private async round(work: Work): Promise<boolean> {
    try {
      await inTime(workTime, () => work.run());
      return true;
    } catch (error) {
      const { code, message } = Failure.from(error);
      this.logger.warn({ work: work.name, code, reason: message }, 'background work failed');
      return false;
    }
  }
}
