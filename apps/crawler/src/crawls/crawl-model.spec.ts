import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PayloadOf } from '@registrar/bus';
import { changesCrawled, registrationsCrawled, registrationsSwept } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { SeededRandom } from '@registrar/testing';
import { type CrawlerFixture, type Replica, startCrawlerFixture } from '../crawler.fixture.ts';
import type { Claim } from '../due-work/claim.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { MakeCrawlsDue } from '../due-work/make-crawls-due.ts';

/** The number of schedules; the nightly run has many. */
const scheduleCount = Number(process.env['CRAWL_SCHEDULES'] ?? 40);
/** Each schedule has an application of its own. So many are crawled side by side. */
const batchSize = 40;
const stepsPerSchedule = 15;
/** The crawler claims nothing while its outbox holds 500 events. */
const crawlsBetweenRelays = 20;

/**
 * How long the provider shows a change late: nearly as long as the overlap of crawls of changes. So each crawl must
 * begin where the one before began, and no later, for nothing to be missed.
 */
const lateMs = 299_900;

/** How long the crawler has not reached a provider when it returns. */
const awayMs = 600_000;

/**
 * Drives two replicas through random schedules: pages requested ahead, windows of long lists, replicas that freeze
 * and lose their leases, failures of the provider, postbacks, sweeps that begin anew, and changes between all of it, also
 * between two pages. Half of the providers have tokens that are offsets, and skip what moves forward when a registration
 * changes again; half of these count the list again on each page.
 */
describe('random schedules of crawls', () => {
  let crawler: CrawlerFixture;
  let replicas: readonly Pick<Replica, 'claim' | 'perform'>[];

  beforeAll(async () => {
    crawler = await startCrawlerFixture(
      { LOG_LEVEL: 'error' },
      { pagesPerTurn: 2, windowRegistrations: 2 },
    );
    replicas = [crawler, await crawler.startReplica()];
  });
  afterAll(() => crawler.stopAll());

  it(
    'miss no change, and end each sweep when it has listed everything',
    async () => {
      const firstSeed = Number(process.env['CRAWL_SEED'] ?? Date.now() % 2 ** 31);
      for (let batch = 0; batch * batchSize < scheduleCount; batch += 1) {
        const seed = firstSeed + batch;
        await crawler.reset();
        const model = new CrawlModel(crawler, replicas, new SeededRandom(seed));
        await model.start();
        for (let step = 0; step < batchSize * stepsPerSchedule; step += 1) await model.step();
        await model.receiveEvents();
        const missedBySweeps = model.findMissedBySweeps();
        await model.crawlRest();
        const missed = model.findMissed();
        expect({ seed, missed, missedBySweeps }).toEqual({ seed, missed: [], missedBySweeps: [] });
        expect(model.completeCrawls).toBeGreaterThan(batchSize);
      }
    },
    Math.max(120_000, scheduleCount * 2_000),
  );
});

/** A registration's GUID with its application. */
const keyOf = (applicationId: number, guid: string): string => `${applicationId} ${guid}`;

class CrawlModel {
  /** The versions of the registrations at the provider, and when they were added and deleted: numbers of steps. */
  readonly #versions = new Map<string, number>();
  readonly #addedAt = new Map<string, number>();
  readonly #deletedAt = new Map<string, number>();
  /** What the pages of each sweep have listed, by application and sequence of the sweep; and its first step. */
  readonly #listed = new Map<string, { readonly guids: Set<string>; readonly from: number }>();
  /** The published events of pages and of the ends of sweeps. */
  readonly #pages: PayloadOf<typeof registrationsCrawled>[] = [];
  readonly #sweeps: (PayloadOf<typeof registrationsSwept> & { readonly receivedAt: number })[] = [];
  /** The sweeps that are not divided into windows, by application and sequence. */
  readonly #undivided = new Set<string>();
  /** The number of crawls of changes that have ended. */
  completeCrawls = 0;
  /** Claims of replicas that are frozen. */
  readonly #frozen: (() => Promise<void>)[] = [];
  #step = 0;
  #crawls = 0;

  constructor(
    private readonly crawler: CrawlerFixture,
    private readonly replicas: readonly Pick<Replica, 'claim' | 'perform'>[],
    private readonly random: SeededRandom,
  ) {}

  async start(): Promise<void> {
    this.crawler.provider.pageSize = 2;
    for (let id = 1; id <= batchSize; id += 1) {
      const account = this.crawler.addApplication(id);
      account.tokens = id % 2 === 0 ? 'offset' : 'keyset';
      account.countsEachPage = id % 4 < 2;
      for (let number = 0; number < this.random.integer(0, 7); number += 1) this.add(id);
    }
    await this.crawler.refresh();
    // The comparison of a sweep finds everything changed.
    this.crawler.enrolment.findChanged = async ({ applicationId, sweep, results }) => {
      const key = `${applicationId} ${sweep}`;
      const listed = this.#listed.get(key) ?? { guids: new Set<string>(), from: this.#step };
      this.#listed.set(key, listed);
      const guids = results.map(({ registrationGuid }) => registrationGuid);
      for (const guid of guids) listed.guids.add(guid);
      return { changed: guids };
    };
  }

  async step(): Promise<void> {
    this.#step += 1;
    const { random, crawler } = this;
    const application = random.integer(1, batchSize);
    const guid = this.anyOf(application);
    const dice = random.integer(0, 99);
    if (dice < 10) this.add(application);
    else if (dice < 30 && guid) this.change(application, guid);
    else if (dice < 33 && guid) this.delete(application, guid);
    else if (dice < 40) await crawler.makeDue(application, 'all-registrations');
    else if (dice < 55) await this.makeChangesDue(application);
    else if (dice < 60 && guid) {
      await crawler.app.get(DueRegistrations).scheduleNow(application, [guid]);
    } else if (dice < 62) {
      await crawler.app.get(MakeCrawlsDue).crawlNow({ application, sweep: true });
    } else if (dice < 65) await this.thaw();
    else if (dice < 67) await this.changeWhileAway(application);
    else await this.crawl(dice);
  }

  private async crawl(dice: number): Promise<void> {
    const replica = this.random.pick(this.replicas);
    const claim = await replica.claim();
    if (!claim) return;
    if (claim.kind === 'all-registrations' && claim.firstPage && !claim.window) {
      this.#undivided.add(`${claim.applicationId} ${claim.firstPage.sequence}`);
    }
    const { provider } = this.crawler;
    if (dice < 72) {
      // Its lease ends while it is frozen, and others go on.
      await this.expireLease(claim);
      this.#frozen.push(() => replica.perform(claim));
      return;
    }
    const faults = dice < 78 ? 1 : 0;
    let left = faults;
    provider.intercept = () => {
      left -= 1;
      if (left >= 0) return { status: 500, body: { message: 'It broke.' } };
      if (this.random.integer(0, 2) === 0) this.changeAny(claim.applicationId);
      return undefined;
    };
    await replica.perform(claim);
    provider.intercept = () => undefined;
    if (faults > 0) await this.endDelays();
    await this.countCrawl();
  }

  private async countCrawl(): Promise<void> {
    this.#crawls += 1;
    if (this.#crawls % crawlsBetweenRelays === 0) await this.receiveEvents();
  }

  /** Empties the outbox, as its relay does: the crawler waits while it is full. */
  async receiveEvents(): Promise<void> {
    const { crawler } = this;
    this.#pages.push(...(await crawler.published(registrationsCrawled)));
    const sweeps = await crawler.published(registrationsSwept);
    this.#sweeps.push(...sweeps.map((sweep) => ({ ...sweep, receivedAt: this.#step })));
    this.completeCrawls += (await crawler.published(changesCrawled)).length;
    await crawler.clearOutbox();
  }

  private async thaw(): Promise<void> {
    const perform = this.#frozen.shift();
    if (perform) await perform();
  }

  private async makeChangesDue(application: number): Promise<void> {
    await this.crawler.app.get(MakeCrawlsDue).crawlNow({ application, sweep: false });
  }

  private async expireLease({ applicationId, window }: Claim): Promise<void> {
    await this.crawler.database.execute(
      window
        ? sql`UPDATE crawl_windows SET lease_until = '-infinity' WHERE id = ${window.id}`
        : sql`UPDATE applications SET lease_until = '-infinity' WHERE id = ${applicationId}`,
    );
  }

  private async endDelays(): Promise<void> {
    const { database } = this.crawler;
    await this.crawler.endBackoff();
    await database.execute(sql`UPDATE due_crawls SET due_at = now() WHERE failures > 0`);
    await database.execute(sql`UPDATE crawl_windows SET due_at = now() WHERE failures > 0`);
  }

  private add(application: number): void {
    const account = this.crawler.account(application);
    const guid = `r${this.#versions.size}`;
    account.addRegistration(guid, 'swimming');
    const createdDate = new Date(Date.now() - this.random.integer(0, 40) * 1_000).toISOString();
    account.change(guid, { createdDate, updated: createdDate, totalSecondsTracked: 1 });
    this.#versions.set(keyOf(application, guid), 1);
    this.#addedAt.set(keyOf(application, guid), this.#step);
  }

  private change(application: number, guid: string, agoMs = lateMs): void {
    const key = keyOf(application, guid);
    const version = (this.#versions.get(key) ?? 0) + 1;
    this.#versions.set(key, version);
    const updated = new Date(Date.now() - agoMs).toISOString();
    this.crawler.account(application).change(guid, { updated, totalSecondsTracked: version });
  }

  /** Returns a registration of an application; undefined if it has none. */
  private anyOf(application: number): string | undefined {
    return this.random.shuffled([...this.crawler.account(application).registrations.keys()])[0];
  }

  private changeAny(application: number): void {
    const guid = this.anyOf(application);
    if (guid) this.change(application, guid);
  }

  /**
   * Changes registrations while the crawler does not reach the provider, and makes the crawl of changes due. So their
   * changes are settled when they are listed, and leave the list when they change again.
   */
  private async changeWhileAway(application: number): Promise<void> {
    const shifted = await this.crawler.database.execute(sql`
      UPDATE due_crawls SET window_at = window_at - ${awayMs} * interval '1 ms', due_at = now()
      WHERE application_id = ${application} AND kind = 'changed-registrations'
        AND sequence IS NULL AND window_at IS NOT NULL`);
    if (shifted === 0) return;
    for (const guid of this.crawler.account(application).registrations.keys()) {
      this.change(application, guid, this.random.integer(lateMs, lateMs + awayMs));
    }
  }

  private delete(application: number, guid: string): void {
    this.crawler.account(application).registrations.delete(guid);
    this.#deletedAt.set(keyOf(application, guid), this.#step);
  }

  /** Ends all faults, and crawls the changes of all applications; no sweep begins. */
  async crawlRest(): Promise<void> {
    while (this.#frozen.length > 0) await this.thaw();
    const { database } = this.crawler;
    await this.endDelays();
    await database.execute(sql`UPDATE rate_limits SET failures = 0, probe_until = '-infinity'`);
    await this.crawlDue();
    for (let id = 1; id <= batchSize; id += 1) await this.makeChangesDue(id);
    await this.crawlDue();
  }

  private async crawlDue(): Promise<void> {
    const { crawler } = this;
    for (let claim = await crawler.claim(); claim; claim = await crawler.claim()) {
      await crawler.perform(claim);
      await this.countCrawl();
    }
    await this.receiveEvents();
  }

  /** Returns the registrations of which the newest version was not published last. */
  findMissed(): string[] {
    const newest = new Map<string, { sequence: number; version: number | null }>();
    for (const event of this.#pages) {
      for (const outcome of event.outcomes) {
        const key = keyOf(event.applicationId, outcome.registrationGuid);
        if ((newest.get(key)?.sequence ?? -1) > event.sequence) continue;
        if (outcome.outcome === 'failed') continue;
        const version = outcome.outcome === 'crawled' ? outcome.result.totalSeconds : null;
        newest.set(key, { sequence: event.sequence, version });
      }
    }
    const existing = [...this.#versions].filter(([key]) => !this.#deletedAt.has(key));
    return existing
      .filter(([key, version]) => newest.get(key)?.version !== version)
      .map(([key, version]) => `${key}: ${version}, published: ${newest.get(key)?.version}`);
  }

  /**
   * Returns the registrations that complete sweeps have not listed, though they existed all the time. Where tokens are
   * offsets, a deletion makes the next page of a sweep that is not divided skip one: enrolment crawls it by name.
   */
  findMissedBySweeps(): string[] {
    const missed: string[] = [];
    for (const { applicationId, sequence, receivedAt } of this.#sweeps) {
      const sweep = `${applicationId} ${sequence}`;
      const listed = this.#listed.get(sweep);
      if (!listed) continue;
      const maySkip =
        this.crawler.account(applicationId).tokens === 'offset' &&
        this.#undivided.has(sweep) &&
        this.hasDeleted(applicationId, listed.from, receivedAt);
      if (maySkip) continue;
      for (const [key, addedAt] of this.#addedAt) {
        const [application, guid = ''] = key.split(' ');
        if (Number(application) !== applicationId || this.#deletedAt.has(key)) continue;
        if (addedAt < listed.from && !listed.guids.has(guid)) missed.push(key);
      }
    }
    return missed;
  }

  /** Whether a registration of an application was deleted from one step to another. */
  private hasDeleted(applicationId: number, from: number, to: number): boolean {
    return [...this.#deletedAt].some(
      ([key, step]) => key.startsWith(keyOf(applicationId, '')) && step >= from && step <= to,
    );
  }
}
