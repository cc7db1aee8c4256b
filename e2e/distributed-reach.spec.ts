import { describeDistributed } from './describe-distributed.ts';
import { describeReach } from './describe-reach.ts';

describeDistributed('the distributed system, its reach and its limits', describeReach);
