import { Outbox } from '@registrar/bus';
import {
  changesCrawled,
  type CrawlOutcome,
  Failure,
  type ProviderRegistration,
  registrationsSwept,
  toTimestamp,
} from '@registrar/contracts';
import {
  type CourseProvider,
  CourseProviderDirectory,
  type RegistrationPage,
} from '@registrar/course-provider';
import { remainingTimeMs } from '@registrar/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type CrawlStamp, type ListClaim, type TimeWindow } from '../due-work/claim.ts';
import { CrawlWindows } from '../due-work/crawl-windows.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { Leases } from '../due-work/leases.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { CrawlClock } from './crawl-clock.ts';
import { CrawlProgress } from './crawl-progress.ts';
import { crawledOutcome, publishOutcomes } from './crawled-outcome.ts';
import { divideList } from './divide-list.ts';
import { listedTime, settledUntil, timeRangeOf } from './listed-times.ts';
import { type ListSizes, listSizesToken } from './list-sizes.ts';
import { OmitUnchangedResults } from './omit-unchanged-results.ts';
import { requestTimeoutMs } from './request-timeout.ts';

/** By how much smaller windows are when a window is read again: after two times, they have a page at most. */
const repetitionFactor = 16;

/** The number of registrations that a list may have whose provider does not count them. */
const maxUncounted = 50_000_000;
/** The number of registrations that may be added to a list while it is read, beyond as many again as it had. */
const maxAdded = 10_000;

/** A page that the provider has returned, and the stamp of its request. */
interface FetchedPage {
  readonly stamp: CrawlStamp;
  readonly page: RegistrationPage;
}

/** Returns the number of registrations that the provider counted at the first page of a list or window. */
const firstTotal = (claim: ListClaim, page: RegistrationPage): number | null =>
  claim.total ?? page.total;

/**
 * Crawls some pages of the changed registrations, or of all registrations, one after another. The next
 * page is requested while the one before is stored. Only results that enrolment does not have are published. A long list is divided into windows first, which are claimed and crawled side by side;
 * so is each list of changes of several pages.
 */
@Injectable()
export class CrawlRegistrationPages implements BeforeApplicationShutdown {
  #isStopping = false;

  constructor(
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly clock: CrawlClock,
    private readonly leases: Leases,
    private readonly windows: CrawlWindows,
    private readonly progress: CrawlProgress,
    private readonly dueRegistrations: DueRegistrations,
    private readonly omitUnchangedResults: OmitUnchangedResults,
    private readonly rateLimits: RateLimits,
    @Inject(listSizesToken) private readonly sizes: ListSizes,
  ) {}

  beforeApplicationShutdown(): void {
    this.#isStopping = true;
  }

  /** @throws {Failure} on any error; the page that failed then stays due */
  async crawl(claim: ListClaim): Promise<void> {
    const provider = await this.providers.forApplication(claim.applicationId);
    let current = claim;
    let fetching = this.fetch(provider, current);
    for (let pages = 1; ; pages += 1) {
      const fetched = await fetching;
      this.requireEnd(current, fetched);
      const windows = this.divide(current, fetched);
      if (windows.length > 0) {
        const { stamp, page } = fetched;
        const total = page.total ?? 0;
        return this.leases.finish(current, () =>
          this.windows.divide(current, stamp, { total, windows }),
        );
      }
      const next = await this.nextOf(current, fetched, pages);
      if (next) {
        fetching = this.fetch(provider, next);
        // Its failure is thrown when the page is awaited.
        fetching.catch(() => undefined);
      }
      await this.store(current, fetched, next !== null);
      if (!next) return;
      current = next;
    }
  }

  private async fetch(provider: CourseProvider, claim: ListClaim): Promise<FetchedPage> {
    const { policy, more } = claim;
    const query = { crawlType: policy.crawlType, withTotal: true, ...timeRangeOf(claim) };
    const stamp = await this.clock.next();
    return { stamp, page: await provider.getRegistrationPage(query, more) };
  }

  /**
   * Returns the windows of a list, or of a window, that has too many items; else none. The settled ones of several pages
   * of changes are in windows of their own, which are counted. A window from which registrations were missing is divided
   * into ever smaller ones, because nothing can be missing from a single page.
   */
  private divide(claim: ListClaim, { stamp, page }: FetchedPage): TimeWindow[] {
    const { total } = page;
    const [first] = page.items;
    if (claim.more !== null || page.more === null || total === null || !first) return [];
    const range = timeRangeOf(claim);
    const { since = null, until = null } = range;
    const begin = since ?? listedTime(range, first);
    // Nothing is older than the first item: a provider whose list is not in order is not divided further.
    if (!begin || (claim.window && !since)) return [];
    const { window } = claim;
    const size = this.sizes.windowRegistrations / repetitionFactor ** (window?.repetitions ?? 0);
    const settled = settledUntil(stamp.at);
    const windows =
      claim.kind === 'changed-registrations' && !window && begin < settled
        ? [
            ...divideList({ since, until: settled, first: begin, last: settled, total }, size),
            { since: settled, until: null },
          ]
        : divideList({ since, until, first: begin, last: until ?? stamp.at, total }, size);
    return windows.length > 1 ? windows : [];
  }

  /** @throws {Failure} when a list goes on far beyond the number of its registrations */
  private requireEnd(claim: ListClaim, { page }: FetchedPage): void {
    const counted = firstTotal(claim, page) ?? maxUncounted;
    if (page.more === null || claim.items + page.items.length <= 2 * counted + maxAdded) return;
    const message = `the course provider's list of ${counted} registrations does not end`;
    throw new Failure('unavailable', message, undefined, { ofProvider: true });
  }

  /** Returns the claim of the next page, with a call for it; null when the turn of the application is over. */
  private async nextOf(
    claim: ListClaim,
    { stamp, page }: FetchedPage,
    pages: number,
  ): Promise<ListClaim | null> {
    const isOver = pages >= this.sizes.pagesPerTurn || this.#isStopping;
    if (page.more === null || isOver || remainingTimeMs() < requestTimeoutMs) return null;
    if (!(await this.rateLimits.waitBriefly(claim.applicationId))) return null;
    const { more, items } = page;
    const firstPage = claim.firstPage ?? stamp;
    const total = firstTotal(claim, page);
    return { ...claim, more, firstPage, total, items: claim.items + items.length };
  }

  /** Publishes a page and the progress of the crawl. The lease ends unless the crawl goes on. */
  private async store(
    claim: ListClaim,
    { stamp, page }: FetchedPage,
    goesOn: boolean,
  ): Promise<void> {
    const outcomes = await this.outcomesOf(claim, stamp, page.items);
    const write = async () => {
      await publishOutcomes(this.outbox, claim, stamp, outcomes);
      await this.dueRegistrations.postpone(
        claim.applicationId,
        page.items.map(({ registrationGuid, completion }) => {
          return { registrationGuid, complete: completion === 'complete' };
        }),
        claim.policy,
        stamp.at,
      );
      const isEnd = await this.progress.advance(claim, {
        stamp,
        more: page.more,
        items: page.items.length,
        total: firstTotal(claim, page),
      });
      if (isEnd) await this.publishEnd(claim, claim.firstPage ?? stamp);
    };
    await (goesOn ? this.leases.keep(claim, write) : this.leases.finish(claim, write));
  }

  private async outcomesOf(
    claim: ListClaim,
    { sequence }: CrawlStamp,
    items: readonly ProviderRegistration[],
  ): Promise<CrawlOutcome[]> {
    const { applicationId, kind, policy, firstPage } = claim;
    const crawled = items.map((result) => crawledOutcome(result, policy.crawlType));
    const sweep = kind === 'all-registrations' ? (firstPage?.sequence ?? sequence) : null;
    return this.omitUnchangedResults.omit({ applicationId, sweep, sequence }, crawled);
  }

  /** Publishes that the list was read to its end. */
  private async publishEnd(
    { applicationId, kind }: ListClaim,
    { sequence, at }: CrawlStamp,
  ): Promise<void> {
    const startedAt = toTimestamp(at);
    await (kind === 'all-registrations'
      ? this.outbox.publish(registrationsSwept, { applicationId, sequence, startedAt })
      : this.outbox.publish(changesCrawled, { applicationId, startedAt }));
  }
}
