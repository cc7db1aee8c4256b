import { describeDistributed } from './describe-distributed.ts';
import { describeSystem } from './describe-system.ts';

describeDistributed('the distributed system, in whole', describeSystem);
