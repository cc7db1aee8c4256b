import { BusClient } from '@registrar/bus';
import { type AccessScope, auditActorOf, Failure, recordExport } from '@registrar/contracts';
import { appLogger, currentRequestContext, describeAct, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';

/** The operations of the API that list what is exported. */
export type ExportedOperation = 'registration index' | 'run';

/** Records exports in the audit log, under the operation of the API that lists the same. */
@Injectable()
export class ExportAudit {
  constructor(
    private readonly bus: BusClient,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Records an export that has ended, complete or not. Does not fail: what the audit log lacks, the log has. */
  async record(operation: ExportedOperation, rows: number, scope: AccessScope): Promise<void> {
    const subject = { operation, rows };
    const { realmId } = scope;
    const actor = auditActorOf(scope);
    const act = describeAct({ action: 'list.exported' as const, actor, realmId, subject });
    try {
      await this.bus.request(recordExport, act);
    } catch (error) {
      const { requestId, consoleUser } = currentRequestContext() ?? {};
      const who = { console_user: consoleUser, client_address: act.clientAddress };
      const what = { request_id: requestId, ...subject, reason: Failure.from(error).message };
      this.logger.error({ ...who, ...what }, 'an export is missing in the audit log');
    }
  }
}
