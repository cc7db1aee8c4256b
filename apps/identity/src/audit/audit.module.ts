import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.ts';
import { PruneAuditLog } from './prune-audit-log.ts';
import { RecordActsOfContexts } from './record-acts-of-contexts.ts';
import { RecordExport } from './record-export.ts';

/** The audit log: who did what, when and from which address. */
@Module({
  controllers: [RecordActsOfContexts, RecordExport],
  providers: [AuditLog, PruneAuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
