import { Outbox } from '#libs/bus';
import {
  type CrawlOutcome,
  registrationsCrawled,
  registrationsSwept,
  toTimestamp,
} from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { Inject, Injectable } from '@nestjs/common';
import { type ListClaim } from '../due-work/claim.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { Leases } from '../due-work/leases.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { type Asked, AskSequence } from './ask-sequence.ts';
import { CrawlProgress } from './crawl-progress.ts';
import { changedSince } from './crawl-window.ts';
import { inParcels } from './parcels.ts';

/** Crawls one page of the registrations that have changed, or of all of them. */
@Injectable()
export class CrawlRegistrationsPage {
  constructor(
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly askSequence: AskSequence,
    private readonly leases: Leases,
    private readonly progress: CrawlProgress,
    private readonly dueRegistrations: DueRegistrations,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** @throws {Failure} whatever went wrong; the page then is still to be crawled */
  async run(claim: ListClaim): Promise<void> {
    const { applicationId } = claim;
    const provider = await this.providers.forApplication(applicationId);
    const asked = await this.askSequence.next();
    const page = await provider.registrationPage(this.query(claim), claim.more);
    const outcomes = page.items.map((result) => {
      const { registrationGuid } = result;
      return { outcome: 'crawled' as const, registrationGuid, result };
    });
    await this.leases.finish(claim, async () => {
      await this.publish(claim, asked, outcomes);
      await this.dueRegistrations.seen(
        applicationId,
        page.items.map(({ registrationGuid, completion }) => {
          return { registrationGuid, complete: completion === 'complete' };
        }),
      );
      await this.progress.advance(claim, { asked, more: page.more, items: page.items.length });
      if (claim.kind === 'all-registrations' && page.more === null) {
        const begun = claim.begun ?? asked;
        const startedAt = toTimestamp(begun.at);
        const { sequence } = begun;
        await this.outbox.publish(registrationsSwept, { applicationId, sequence, startedAt });
      }
    });
  }

  private query({ kind, windowAt }: ListClaim) {
    const since = kind === 'changed-registrations' ? changedSince(windowAt) : undefined;
    return { crawlType: this.settings.CRAWL_TYPE, ...(since && { since, byUpdated: true }) };
  }

  private async publish(claim: ListClaim, asked: Asked, outcomes: CrawlOutcome[]): Promise<void> {
    for (const parcel of inParcels(outcomes)) {
      await this.outbox.publish(registrationsCrawled, {
        applicationId: claim.applicationId,
        realmId: claim.realmId,
        sequence: asked.sequence,
        crawledAt: toTimestamp(asked.at),
        crawlType: this.settings.CRAWL_TYPE,
        outcomes: parcel,
      });
    }
  }
}
