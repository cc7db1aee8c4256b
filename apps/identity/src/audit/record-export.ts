import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { recordExport } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { AuditLog } from './audit-log.ts';

/** Records the exports that gateways report, each once however often it is reported. */
@Controller()
export class RecordExport {
  constructor(private readonly audit: AuditLog) {}

  @HandleRequest(recordExport)
  async record(act: InputOf<typeof recordExport>): Promise<ReplyOf<typeof recordExport>> {
    await this.audit.append(act);
    return {};
  }
}
