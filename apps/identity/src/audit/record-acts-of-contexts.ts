import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { catalogAudited, enrolmentAudited } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { AuditLog } from './audit-log.ts';

/** Appends the acts of other contexts to the audit log. */
@Controller()
export class RecordActsOfContexts {
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
}
