import { Module } from '@nestjs/common';
import { RealmsModule } from '../realms/realms.module.ts';
import { ListAuditEntries } from './list-audit-entries.ts';

/** The operator's view of the audit log. */
@Module({ imports: [RealmsModule], controllers: [ListAuditEntries] })
export class AuditEntriesModule {}
