import {
  HandleEvent,
  HandleRequest,
  type InputOf,
  type PayloadOf,
  type ReplyOf,
} from '@registrar/bus';
import { catalogAudited, enrolmentAudited, recordExport } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { AuditLog } from './audit-log.ts';

/** Appends the acts that other apps report to the audit log, each once however often it is reported. */
@Controller()
export class RecordActs {
  // AuditLog itself has no handler: Nest does not inject controllers into other classes.
  constructor(private readonly auditLog: AuditLog) {}

  @HandleEvent(catalogAudited)
  async recordActOfCatalog(act: PayloadOf<typeof catalogAudited>): Promise<void> {
    await this.auditLog.append(act);
  }

  @HandleEvent(enrolmentAudited)
  async recordActOfEnrolment(act: PayloadOf<typeof enrolmentAudited>): Promise<void> {
    await this.auditLog.append(act);
  }

  @HandleRequest(recordExport)
  async recordExport(act: InputOf<typeof recordExport>): Promise<ReplyOf<typeof recordExport>> {
    await this.auditLog.append(act);
    return {};
  }
}
