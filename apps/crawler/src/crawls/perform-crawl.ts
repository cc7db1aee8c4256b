import { Failure } from '#libs/contracts';
import { appLogger, inSpan, type Logger, runOperation } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type Claim } from '../due-work/claim.ts';
import { renewalTime, workTime } from '../due-work/lease.ts';
import { Leases } from '../due-work/leases.ts';
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
    private readonly leases: Leases,
    private readonly noteFailure: NoteFailure,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Never rejects: what fails is noted, and comes again. A crawl is a trace of its own. */
  run(claim: Claim): Promise<void> {
    const { applicationId, kind } = claim;
    const span = {
      name: `crawl ${kind}`,
      kind: 'internal',
      cause: 'nowhere',
      attributes: { 'registrar.provider_application': applicationId },
    } as const;
    return runOperation({ requestId: randomUUID(), deadline: null }, () =>
      inSpan(span, () => this.crawlOrNote(claim)).catch(() => undefined),
    );
  }

  /** @throws what it has noted */
  private async crawlOrNote(claim: Claim): Promise<void> {
    const what = { application: claim.applicationId, crawl: claim.kind };
    const renewal = setInterval(() => void this.renew(claim), renewalTime).unref();
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
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  private async renew(claim: Claim): Promise<void> {
    try {
      await inTime(renewalTime, () => this.leases.renew(claim));
    } catch (error) {
      const { message } = Failure.from(error);
      const { applicationId: application } = claim;
      this.logger.warn({ application, reason: message }, 'a lease could not be renewed');
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
