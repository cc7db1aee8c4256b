import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { registrationsCrawled } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { ApplyCrawl } from './apply-crawl.ts';

/** Imports the outcomes of a crawl, registrations that were unknown before included. */
@Injectable()
export class ImportCrawl {
  constructor(
    private readonly adoptRegistrations: AdoptRegistrations,
    private readonly applyCrawl: ApplyCrawl,
  ) {}

  @HandleEvent(registrationsCrawled)
  async import(crawl: PayloadOf<typeof registrationsCrawled>): Promise<void> {
    const { applicationId, realmId, outcomes } = crawl;
    await this.adoptRegistrations.adopt(
      { applicationId, realmId, userId: null },
      outcomes.flatMap((each) => (each.outcome === 'crawled' ? [each.result] : [])),
    );
    await this.applyCrawl.apply(crawl);
  }
}
