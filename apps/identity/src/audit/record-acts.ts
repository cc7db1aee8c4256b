import {
  HandleEvent,
  HandleRequest,
  type InputOf,
  type PayloadOf,
  type ReplyOf,
} from '@registrar/bus';
import {
  catalogAudited,
  crawlerAudited,
  enrolmentAudited,
  providerAudited,
  recordExport,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from './audit-log.ts';

const applicationRow = z.object({ id: z.number(), realmId: z.number() });

/** Appends the acts that other apps report to the audit log, each once however often it is reported. */
@Controller()
export class RecordActs {
  // AuditLog itself has no handler: Nest does not inject controllers into other classes.
  constructor(
    private readonly auditLog: AuditLog,
    private readonly database: Database,
  ) {}

  @HandleEvent(catalogAudited)
  async recordActOfCatalog(act: PayloadOf<typeof catalogAudited>): Promise<void> {
    await this.auditLog.append(act);
  }

  @HandleEvent(crawlerAudited)
  async recordActOfCrawler(act: PayloadOf<typeof crawlerAudited>): Promise<void> {
    await this.auditLog.append(act);
  }

  @HandleEvent(enrolmentAudited)
  async recordActOfEnrolment(act: PayloadOf<typeof enrolmentAudited>): Promise<void> {
    await this.auditLog.append(act);
  }

  /** An application that no realm has was created by the operator at the provider alone. */
  @HandleEvent(providerAudited)
  async recordActAtProvider({ appId, ...act }: PayloadOf<typeof providerAudited>): Promise<void> {
    const application = await this.database.maybeOne(
      applicationRow,
      sql`SELECT id, realm_id AS "realmId" FROM provider_applications WHERE app_id = ${appId}`,
    );
    const id = application?.id ?? null;
    const actor = { kind: 'provider', id, applicationId: id } as const;
    await this.auditLog.append({ ...act, actor, realmId: application?.realmId ?? null });
  }

  @HandleRequest(recordExport)
  async recordExport(act: InputOf<typeof recordExport>): Promise<ReplyOf<typeof recordExport>> {
    await this.auditLog.append(act);
    return {};
  }
}
