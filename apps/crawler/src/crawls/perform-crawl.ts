import { Failure } from '#libs/contracts';
import { appLogger, type Logger } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type Claim } from '../due-work/claim.ts';
import { workTime } from '../due-work/lease.ts';
import { CrawlCoursesPage } from './crawl-courses-page.ts';
import { CrawlDueRegistrations } from './crawl-due-registrations.ts';
import { CrawlRegistrationsPage } from './crawl-registrations-page.ts';
import { bookTime, inTime } from './in-time.ts';
import { NoteFailure } from './note-failure.ts';

/** Does the work that was claimed. */
@Injectable()
export class PerformCrawl {
  constructor(
    private readonly crawlRegistrationsPage: CrawlRegistrationsPage,
    private readonly crawlCoursesPage: CrawlCoursesPage,
    private readonly crawlDueRegistrations: CrawlDueRegistrations,
    private readonly noteFailure: NoteFailure,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Never rejects: what fails is noted, and comes again. */
  async run(claim: Claim): Promise<void> {
    const what = { application: claim.applicationId, crawl: claim.kind };
    try {
      await inTime(workTime, () => this.crawl(claim));
      this.logger.debug(what, 'crawled');
    } catch (error) {
      const { code, message } = Failure.from(error);
      this.logger.warn({ ...what, code, reason: message }, 'a crawl failed');
      await inTime(bookTime, () => this.noteFailure.run(claim, error)).catch((reason: unknown) => {
        const { message: why } = Failure.from(reason);
        this.logger.warn({ ...what, reason: why }, 'the failure of a crawl could not be noted');
      });
    }
  }

  private crawl(claim: Claim): Promise<void> {
    switch (claim.kind) {
      case 'registrations-by-name':
        return this.crawlDueRegistrations.run(claim);
      case 'courses':
        return this.crawlCoursesPage.run(claim);
      case 'changed-registrations':
      case 'all-registrations':
        return this.crawlRegistrationsPage.run(claim);
    }
  }
}
