import { allCases } from '@registrar/conformance';
import { describeAuditLog } from './audit-log.ts';
import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { describeCarriedRequests } from './carried-requests.ts';
import { describeClientPackage } from './client-package.ts';
import { describeConsolePages } from './console-pages.ts';
import { describeConformance } from './conformance.ts';
import { describeCourseConfiguration } from './course-configuration.ts';
import { describeDistributed } from './describe-distributed.ts';
import { describeIdempotency } from './idempotency.ts';

const transportCases = allCases.filter(({ dependsOnTransport }) => dependsOnTransport);

// `least-privilege.spec.ts` has the learner's journey over RabbitMQ, and
// `distributed-contract.nightly.spec.ts` everything that the standalone form passes.
describeDistributed('the distributed system', (running) => {
  describeIdempotency(running);
  describeConformance(running, transportCases);
  describeAuditLog(running);
  describeCourseConfiguration(running);
  describeCarriedRequests(running);
  describeClientPackage(running);
  describeWith(findChromium(), 'in a browser', (executablePath) => {
    describeConsolePages(running, executablePath);
  });
});
