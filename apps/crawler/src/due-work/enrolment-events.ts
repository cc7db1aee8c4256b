import { HandleEvent, type PayloadOf } from '#libs/bus';
import { registrationCreated, registrationLaunched } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Controller, Inject } from '@nestjs/common';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { DueRegistrations } from './due-registrations.ts';

/** What enrolment tells of registrations: it brings a crawl of them forward. */
@Controller()
export class EnrolmentEvents {
  constructor(
    private readonly database: Database,
    private readonly dueRegistrations: DueRegistrations,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  @HandleEvent(registrationCreated)
  created(payload: PayloadOf<typeof registrationCreated>): Promise<void> {
    return this.dueRegistrations.created(payload.applicationId, payload.registrationGuid);
  }

  /** A learner is at work: what has changed is asked for at the shortest interval again. */
  @HandleEvent(registrationLaunched)
  async launched(payload: PayloadOf<typeof registrationLaunched>): Promise<void> {
    await this.dueRegistrations.launched(payload.applicationId, payload.registrationGuid);
    await this.database.query(
      `UPDATE due_crawls
       SET due_at = least(due_at, now() + $2::integer * interval '1 s'),
           interval_seconds = $2::integer
       WHERE application_id = $1 AND kind = 'changed-registrations' AND failures = 0`,
      [payload.applicationId, this.settings.CRAWL_INTERVAL_SECONDS],
    );
  }
}
