import { HandleEvent } from '@registrar/bus';
import { type Act, type AuditedAct, catalogAudited, enrolmentAudited } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { currentRequestContext, describeAct } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';

/** Injects how many days entries of the audit log are kept. */
export const auditRetentionDays = Symbol('retention of the audit log in days');

/**
 * Appends to the audit log. Address and request id are those of the current request. Only acts that
 * succeed are recorded; refused requests are in the log of the gateway.
 */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    @Inject(auditRetentionDays) private readonly retentionDays: number,
  ) {}

  /**
   * Records an act as part of the current transaction: if that rolls back, there is no entry.
   *
   * @throws {Error} outside of a transaction
   */
  async record(act: Act): Promise<void> {
    if (!this.database.inTransaction) throw new Error('an act is recorded in its transaction');
    await this.append(describeAct(act));
  }

  /** Appends an act of another context, which published it in the transaction of the act. */
  @HandleEvent(catalogAudited)
  @HandleEvent(enrolmentAudited)
  async append(act: AuditedAct): Promise<void> {
    const { occurredAt, realmId, actor, clientAddress, action, subject } = act;
    await this.database.execute(
      sql`INSERT INTO audit_log
            (occurred_at, kept_until, realm_id, actor, actor_id, client_address, request_id, action,
             subject)
          VALUES (${occurredAt}::timestamptz,
                  ${occurredAt}::timestamptz + make_interval(days => ${this.retentionDays}),
                  ${realmId}, ${actor.kind}, ${actor.id}, ${clientAddress}::inet,
                  ${currentRequestContext()?.requestId ?? randomUUID()}, ${action},
                  ${JSON.stringify(subject)}::jsonb)`,
    );
  }
}
