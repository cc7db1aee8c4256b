import { Failure } from '#libs/contracts';
import { appLogger, type Logger, type OnAppStart } from '#libs/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { type Claim } from '../due-work/claim.ts';
import { ClaimWork } from '../due-work/claim-work.ts';
import { Leases } from '../due-work/leases.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { bookTime, inTime } from './in-time.ts';
import { PerformCrawl } from './perform-crawl.ts';

/** How long to wait before looking for work again when there was none: milliseconds. */
const idleTime = 1_000;

/** How long work that runs may go on when the process stops: milliseconds. */
const patience = 5_000;

/** Crawls what is due, several provider applications at a time. Every replica does. */
@Injectable()
export class CrawlLoop implements OnAppStart, BeforeApplicationShutdown {
  #stopped = false;
  #idle = new AbortController();
  readonly #running = new Map<Claim, Promise<void>>();
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly claimWork: ClaimWork,
    private readonly performCrawl: PerformCrawl,
    private readonly leases: Leases,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  onAppStart(): void {
    this.#loop = this.repeat();
  }

  /** Claims no more, waits a while for what runs, and gives back what is still unfinished. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    this.#idle.abort();
    await this.#loop;
    const enough = new AbortController();
    await Promise.race([
      Promise.all(this.#running.values()),
      pause(patience, undefined, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
    if (this.#running.size > 0) await this.leases.giveBack([...this.#running.keys()]);
  }

  private async repeat(): Promise<void> {
    while (!this.#stopped) {
      const isFull = this.#running.size >= this.settings.CRAWL_CONCURRENCY;
      const claim = isFull ? null : await this.claim();
      if (claim) this.start(claim);
      else await this.untilSomethingEnds();
    }
  }

  /** Or until it is time to look again, or to stop. */
  private async untilSomethingEnds(): Promise<void> {
    if (this.#stopped) return;
    this.#idle = new AbortController();
    const { signal } = this.#idle;
    const idle = pause(idleTime, undefined, { signal }).catch(() => undefined);
    await Promise.race([idle, ...this.#running.values()]);
    this.#idle.abort();
  }

  private async claim(): Promise<Claim | null> {
    try {
      return await inTime(bookTime, () => this.claimWork.run());
    } catch (error) {
      this.logger.warn(
        { reason: Failure.from(error).message },
        'cannot look for crawls that are due',
      );
      return null;
    }
  }

  private start(claim: Claim): void {
    const work = this.performCrawl.run(claim).finally(() => this.#running.delete(claim));
    this.#running.set(claim, work);
  }
}
