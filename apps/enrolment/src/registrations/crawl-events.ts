import { HandleEvent, type PayloadOf } from '#libs/bus';
import { registrationsCrawled, registrationsSwept } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { ApplyCrawl } from './apply-crawl.ts';
import { NoteSweep } from './note-sweep.ts';

/** What the crawler tells of registrations. */
@Controller()
export class CrawlEvents {
  constructor(
    private readonly adoptRegistrations: AdoptRegistrations,
    private readonly applyCrawl: ApplyCrawl,
    private readonly noteSweep: NoteSweep,
  ) {}

  @HandleEvent(registrationsCrawled)
  async crawled(payload: PayloadOf<typeof registrationsCrawled>): Promise<void> {
    const { applicationId, realmId, outcomes } = payload;
    await this.adoptRegistrations.run(
      { applicationId, realmId, userId: null },
      outcomes.flatMap((each) => (each.outcome === 'crawled' ? [each.result] : [])),
    );
    await this.applyCrawl.run(payload);
  }

  @HandleEvent(registrationsSwept)
  swept(payload: PayloadOf<typeof registrationsSwept>): Promise<void> {
    return this.noteSweep.run(payload);
  }
}
