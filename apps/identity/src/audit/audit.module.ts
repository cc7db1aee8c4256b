import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.ts';
import { PruneAuditLog } from './prune-audit-log.ts';
import { RecordActs } from './record-acts.ts';

/** The audit log: who did what, when and from which address. */
@Module({
  controllers: [RecordActs],
  providers: [AuditLog, PruneAuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
