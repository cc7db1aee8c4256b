import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.ts';
import { PruneAuditLog } from './prune-audit-log.ts';
import { RecordExport } from './record-export.ts';

/** The audit log: who did what, when and from which address. */
@Module({
  providers: [AuditLog, PruneAuditLog, RecordExport],
  exports: [AuditLog],
})
export class AuditModule {}
