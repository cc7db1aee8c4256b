import { describeAuditLog } from './audit-log.ts';
import { describeDistributed } from './describe-distributed.ts';
import { describeSystem } from './describe-system.ts';

describeDistributed('the distributed system', (running) => {
  describeSystem(running);
  describeAuditLog(running);
});
