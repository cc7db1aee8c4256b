import type { RunningSystem } from '#libs/testing';
import { describeAbsentProvider } from './absent-provider.ts';
import { describeAccessMatrix } from './access-matrix.ts';
import { describeLongLists } from './long-lists.ts';
import { describeManyLearners } from './many-learners.ts';
import { describeProviderRefusals } from './open-api-provider.ts';

/** What needs the bus beside the API, or processes of their own to look at. */
export function describeReach(running: () => RunningSystem): void {
  describeAccessMatrix(running);
  describeManyLearners(running);
  describeProviderRefusals(running);
  describeAbsentProvider(running);
  describeLongLists(running);
}
