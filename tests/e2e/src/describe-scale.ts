import type { RunningSystem } from '@registrar/standalone/testing';
import { describeUnavailableProvider } from './unavailable-provider.ts';
import { describeLongLists } from './long-lists.ts';
import { describeBulkEnrolment } from './bulk-enrolment.ts';
import { describeProviderErrors } from './open-api-provider-errors.ts';

/** Declares the suites that also call the bus or observe the processes, so that they run only against the distributed form. */
export function describeScale(running: () => RunningSystem): void {
  describeBulkEnrolment(running);
  describeProviderErrors(running);
  describeUnavailableProvider(running);
  describeLongLists(running);
}
