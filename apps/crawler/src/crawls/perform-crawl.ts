import { Failure } from '@registrar/contracts';
import {
  appLogger,
  inSpan,
  logFailedWork,
  type Logger,
  runInRequestContext,
  runWithin,
} from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type Claim } from '../due-work/claim.ts';
import { renewalIntervalMs, workTimeoutMs } from '../due-work/lease-times.ts';
import { Leases } from '../due-work/leases.ts';
import { CrawlCoursesPage } from './crawl-courses-page.ts';
import { CrawlDueRegistrations } from './crawl-due-registrations.ts';
import { CrawlRegistrationPages } from './crawl-registration-pages.ts';
import { RecordFailure } from './record-failure.ts';

const recordTimeoutMs = 10_000;

/** Performs claimed work, renews its lease meanwhile, and records its failure. */
@Injectable()
export class PerformCrawl {
  constructor(
    private readonly crawlRegistrationPages: CrawlRegistrationPages,
    private readonly crawlCoursesPage: CrawlCoursesPage,
    private readonly crawlDueRegistrations: CrawlDueRegistrations,
    private readonly leases: Leases,
    private readonly recordFailure: RecordFailure,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Never rejects: a failed crawl is recorded and retried later. Each crawl is a trace. */
  perform(claim: Claim): Promise<void> {
    const { applicationId, kind } = claim;
    const span = {
      name: `crawl ${kind}`,
      kind: 'internal',
      cause: 'nowhere',
      attributes: { 'registrar.provider_application': applicationId },
    } as const;
    const requestId = randomUUID();
    return runInRequestContext({ requestId, deadline: null }, () =>
      inSpan(span, () => this.crawlOrRecordFailure(claim, requestId)).catch(() => undefined),
    );
  }

  /** @throws the error that it has recorded */
  private async crawlOrRecordFailure(claim: Claim, requestId: string): Promise<void> {
    const fields = { application: claim.applicationId, crawl: claim.kind };
    const renewal = setInterval(
      () => void this.renewLease(claim, requestId),
      renewalIntervalMs,
    ).unref();
    try {
      await runWithin(workTimeoutMs, () => this.crawl(claim), requestId);
      this.logger.debug(fields, 'crawled');
    } catch (error) {
      const { code } = Failure.from(error);
      logFailedWork(this.logger, error, { ...fields, code }, 'a crawl failed');
      const record = () => this.recordFailure.record(claim, error);
      await runWithin(recordTimeoutMs, record, requestId).catch((reason: unknown) =>
        logFailedWork(this.logger, reason, fields, 'the failure of a crawl was not recorded'),
      );
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  private async renewLease(claim: Claim, requestId: string): Promise<void> {
    try {
      await runWithin(renewalIntervalMs, () => this.leases.renew(claim), requestId);
    } catch (error) {
      const { applicationId: application } = claim;
      logFailedWork(this.logger, error, { application }, 'a lease was not renewed');
    }
  }

  private crawl(claim: Claim): Promise<void> {
    switch (claim.kind) {
      case 'registrations-by-name':
        return this.crawlDueRegistrations.crawl(claim);
      case 'courses':
        return this.crawlCoursesPage.crawl(claim);
      case 'changed-registrations':
      case 'all-registrations':
        return this.crawlRegistrationPages.crawl(claim);
    }
  }
}
