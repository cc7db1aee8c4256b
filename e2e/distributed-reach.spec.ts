import { describeAbsentProvider } from './absent-provider.ts';
import { describeAccessMatrix } from './access-matrix.ts';
import { describeDistributed } from './describe-distributed.ts';
import { describeLongLists } from './long-lists.ts';
import { describeManyLearners } from './many-learners.ts';
import { describeProviderRefusals } from './open-api-provider.ts';

// What needs the bus beside the API, or processes of their own to look at.
describeDistributed('the distributed system, its reach and its limits', (running) => {
  describeAccessMatrix(running);
  describeManyLearners(running);
  describeProviderRefusals(running);
  describeAbsentProvider(running);
  describeLongLists(running);
});
