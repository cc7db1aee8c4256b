import { describeDistributed } from './describe-distributed.ts';
import { describeScale } from './describe-scale.ts';

describeDistributed(
  'the distributed system: large lists, and a provider that fails',
  describeScale,
);
