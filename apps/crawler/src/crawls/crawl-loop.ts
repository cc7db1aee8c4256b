import type { OnAppStart } from '@registrar/bootstrap';
import {
  activity,
  appLogger,
  clock,
  endsWithin,
  logFailedWork,
  type Logger,
  runWithin,
  withDeadline,
} from '@registrar/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type Claim } from '../due-work/claim.ts';
import { ClaimWork } from '../due-work/claim-work.ts';
import { Leases } from '../due-work/leases.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { PerformCrawl } from './perform-crawl.ts';

/** The delay before the next claim when no work was due; shorter when an application waits for its rate limit. */
const idlePace = { everyMs: 1_000, restMs: 3_000 };
const shortestIdleMs = 20;

const claimTimeoutMs = 10_000;

/** How long running crawls may continue when the process stops. */
export const drainTimeoutMs = 5_000;

/** How long a stopping process tries to release its leases. One that is not released expires. */
const releaseTimeoutMs = 2_000;

/** Crawls what is due in every replica, several provider applications at a time. */
@Injectable()
export class CrawlLoop implements OnAppStart, BeforeApplicationShutdown {
  #stopped = false;
  /** Whether work has become due since the last claim began. */
  #woken = false;
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

  /** Stops claiming, waits for running crawls until the timeout, and releases unfinished ones. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    this.#idle.abort();
    const ended = this.#loop.then(() => Promise.all(this.#running.values()));
    await endsWithin(ended, drainTimeoutMs);
    if (this.#running.size > 0) await this.release([...this.#running.keys()]);
  }

  /** The database may be stopping too. */
  private async release(claims: readonly Claim[]): Promise<void> {
    const deadline = clock.now() + releaseTimeoutMs;
    try {
      const released = runWithin(releaseTimeoutMs, () => this.leases.release(claims));
      await withDeadline(released, deadline, 'the release of leases');
    } catch (error) {
      logFailedWork(this.logger, error, {}, 'unfinished crawls are released when their leases end');
    }
  }

  /** Ends the idle interval, because work has become due. */
  wake(): void {
    this.#woken = true;
    this.#idle.abort();
  }

  private async repeat(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false;
      const isFull = this.#running.size >= this.settings.CRAWL_CONCURRENCY;
      const { claim, idleMs } = isFull ? { claim: null, idleMs: null } : await this.claim();
      if (claim && this.#stopped) await this.release([claim]);
      else if (claim) this.start(claim);
      else await this.waitForNextAttempt(idleMs);
    }
  }

  /** Waits until a crawl finishes, the idle interval is over, or the loop is woken or stopped. */
  private async waitForNextAttempt(idleMs: number | null): Promise<void> {
    if (this.#stopped || this.#woken) return;
    this.#idle = new AbortController();
    const { signal } = this.#idle;
    const pace = idleMs === null ? idlePace : { everyMs: idleMs, restMs: idleMs };
    const idle = Promise.withResolvers<void>();
    const cancel = activity.schedule(pace, idle.resolve);
    signal.addEventListener('abort', () => idle.resolve());
    await Promise.race([idle.promise, ...this.#running.values()]);
    cancel();
  }

  /** Claims work; if there is none, `idleMs` is when to try again; null for the idle interval. */
  private async claim(): Promise<{ claim: Claim | null; idleMs: number | null }> {
    try {
      return await runWithin(claimTimeoutMs, async () => {
        const claim = await this.claimWork.claim();
        const wait = claim ? null : await this.claimWork.untilNextCall();
        const idleMs = wait === null ? null : Math.max(shortestIdleMs, Math.ceil(wait));
        return { claim, idleMs };
      });
    } catch (error) {
      logFailedWork(this.logger, error, {}, 'due crawls cannot be claimed');
      return { claim: null, idleMs: null };
    }
  }

  private start(claim: Claim): void {
    activity.note();
    const work = this.performCrawl.perform(claim).finally(() => this.#running.delete(claim));
    this.#running.set(claim, work);
  }
}
