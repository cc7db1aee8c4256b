import { type RunningSystem } from '@registrar/standalone/testing';
import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { describeConformance } from './conformance.ts';
import { describeCompatibility } from './existing-clients/compatibility.ts';
import { describeExistingClients } from './existing-clients/existing-clients.ts';
import { describeWordPressVisit } from './existing-clients/wordpress-visit.ts';
import { describeLearnerJourney } from './learner-journey.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeLoggedErrors } from './logged-errors.ts';

/** Settings with which the crawler crawls every second, so that suites wait for a crawl only briefly. */
export const frequentCrawls = { CRAWL_INTERVAL_SECONDS: '1', CRAWL_RATE_PER_SECOND: '1000' };

/** Declares the suites that every form of the system passes. */
export function describeSystem(running: () => RunningSystem): void {
  describeWith(findChromium(), 'in a browser', (executablePath) => {
    describeLearnerJourney(running, executablePath);
    describeWordPressVisit(running, executablePath);
  });
  describeLoggedErrors(running);
  describeIdempotency(running);
  describeConformance(running);
  describeExistingClients(running);
  describeCompatibility(running);
}
