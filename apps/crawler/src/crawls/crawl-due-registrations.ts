import { Outbox } from '#libs/bus';
import { registrationsCrawled, toTimestamp } from '#libs/contracts';
import { remainingTime } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type NamesClaim } from '../due-work/claim.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { Leases } from '../due-work/leases.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { AskSequence } from './ask-sequence.ts';
import { CrawlByName, type NamedCrawl } from './crawl-by-name.ts';
import { CrawlHistory } from './crawl-history.ts';
import { inParcels } from './parcels.ts';

/** How long a provider may take for one answer (libs/course-provider), and a little: milliseconds. */
const longestQuestion = 32_000;

/** Crawls registrations that were launched, created or left over, by name. */
@Injectable()
export class CrawlDueRegistrations {
  constructor(
    private readonly outbox: Outbox,
    private readonly crawlByName: CrawlByName,
    private readonly askSequence: AskSequence,
    private readonly leases: Leases,
    private readonly dueRegistrations: DueRegistrations,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** @throws {Failure} when none could be asked for; all then are still to be crawled */
  async run(claim: NamesClaim): Promise<void> {
    const { applicationId, realmId, due } = claim;
    const { sequence, at } = await this.askSequence.next();
    // The claim came with as many calls as it has registrations: only time can be short.
    const crawl = await this.crawlByName.run(
      applicationId,
      due.map((each) => each.registrationGuid),
      async () => remainingTime() > longestQuestion,
    );
    await this.leases.finish(claim, async () => {
      const crawledAt = toTimestamp(at);
      const crawlType = this.settings.CRAWL_TYPE;
      for (const outcomes of inParcels(crawl.outcomes)) {
        const asked = { sequence, crawledAt, crawlType };
        await this.outbox.publish(registrationsCrawled, {
          applicationId,
          realmId,
          ...asked,
          outcomes,
        });
      }
      await this.dueRegistrations.crawled(applicationId, turnsOf(claim, crawl));
      await (crawl.fault
        ? this.rateLimits.slowDown(applicationId, crawl.fault)
        : this.rateLimits.recovered(applicationId));
      await this.history.note({
        applicationId,
        kind: claim.kind,
        startedAt: at,
        items: crawl.outcomes.length,
        error: crawl.fault?.message ?? null,
      });
    });
  }
}

function turnsOf({ due }: NamesClaim, { outcomes }: NamedCrawl) {
  const answered = new Map(outcomes.map((outcome) => [outcome.registrationGuid, outcome]));
  return due.flatMap((each) => {
    const outcome = answered.get(each.registrationGuid);
    if (!outcome) return [];
    const complete =
      outcome.outcome === 'deleted' ||
      (outcome.outcome === 'crawled' && outcome.result.completion === 'complete');
    return [{ ...each, complete }];
  });
}
