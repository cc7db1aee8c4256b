import { Outbox } from '@registrar/bus';
import {
  changesCrawled,
  type CrawlOutcome,
  registrationsCrawled,
  registrationsSwept,
  toTimestamp,
} from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Injectable } from '@nestjs/common';
import { type CrawlStamp, type ListClaim } from '../due-work/claim.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { Leases } from '../due-work/leases.ts';
import { CrawlClock } from './crawl-clock.ts';
import { CrawlProgress } from './crawl-progress.ts';
import { changedSince } from './crawl-window.ts';
import { crawledOutcome } from './crawled-outcome.ts';
import { OmitUnchangedResults } from './omit-unchanged-results.ts';
import { splitIntoBatches } from './split-into-batches.ts';

/**
 * Crawls one page of the changed registrations, or of all registrations. Of the latter, only those
 * that enrolment does not have are published.
 */
@Injectable()
export class CrawlRegistrationsPage {
  constructor(
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly clock: CrawlClock,
    private readonly leases: Leases,
    private readonly progress: CrawlProgress,
    private readonly dueRegistrations: DueRegistrations,
    private readonly omitUnchangedResults: OmitUnchangedResults,
  ) {}

  /** @throws {Failure} on any error; the page then stays due */
  async crawl(claim: ListClaim): Promise<void> {
    const { applicationId } = claim;
    const provider = await this.providers.forApplication(applicationId);
    const stamp = await this.clock.next();
    const page = await provider.getRegistrationPage(this.query(claim), claim.more);
    const crawled = page.items.map((result) => crawledOutcome(result, claim.policy.crawlType));
    const outcomes =
      claim.kind === 'all-registrations'
        ? await this.omitUnchangedResults.omit(
            { applicationId, sweep: (claim.firstPage ?? stamp).sequence, sequence: stamp.sequence },
            crawled,
          )
        : crawled;
    await this.leases.finish(claim, async () => {
      await this.publish(claim, stamp, outcomes);
      await this.dueRegistrations.postpone(
        applicationId,
        page.items.map(({ registrationGuid, completion }) => {
          return { registrationGuid, complete: completion === 'complete' };
        }),
        claim.policy,
      );
      await this.progress.advance(claim, { stamp, more: page.more, items: page.items.length });
      if (page.more === null) await this.publishEnd(claim, claim.firstPage ?? stamp);
    });
  }

  private query({ kind, windowAt, policy }: ListClaim) {
    const since = kind === 'changed-registrations' ? changedSince(windowAt) : undefined;
    return { crawlType: policy.crawlType, ...(since && { since, byUpdated: true }) };
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

  private async publish(
    { applicationId, realmId, policy }: ListClaim,
    { sequence, at }: CrawlStamp,
    outcomes: CrawlOutcome[],
  ): Promise<void> {
    for (const batch of splitIntoBatches(outcomes)) {
      await this.outbox.publish(registrationsCrawled, {
        applicationId,
        realmId,
        sequence,
        crawledAt: toTimestamp(at),
        crawlType: policy.crawlType,
        outcomes: batch,
      });
    }
  }
}
