import { chromiumForTests, type RunningSystem } from '#libs/testing';
import { describeConformance } from './conformance.ts';
import { describeFormatAgreement } from './format-agreement.ts';
import { describeMainJob } from './main-job.ts';
import { describeOpenApi } from './open-api.ts';
import { describeRepeatedRequests } from './repeated-requests.ts';
import { describeStatuses } from './statuses.ts';

const chromium = chromiumForTests();

/** So often and so fast that a suite need not wait long for a crawl. */
export const crawlingOften = { CRAWL_INTERVAL_SECONDS: '1', CRAWL_RATE_PER_SECOND: '1000' };

/** What holds in every form of the system. */
export function describeSystem(running: () => RunningSystem): void {
  if (chromium) describeMainJob(running, chromium);
  describeStatuses(running);
  describeRepeatedRequests(running);
  describeConformance(running);
  describeFormatAgreement(running);
  describeOpenApi(running);
}
