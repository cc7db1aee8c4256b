import { describeDistributed } from './describe-distributed.ts';
import { describeIsolationAndScale } from './describe-isolation-and-scale.ts';

describeDistributed(
  'the distributed system: isolation of callers, and large lists',
  describeIsolationAndScale,
);
