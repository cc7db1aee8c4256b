import {
  type AuditAction,
  type AuditActor,
  type AuditSubject,
  boundedSubject,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { currentRequestContext } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';

/** Injects how many days entries of the audit log are kept. */
export const auditRetentionDays = Symbol('retention of the audit log in days');

/** An act that succeeds if the current transaction commits. */
export interface AuditedAct {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  /** The realm that the act concerns; null for the whole installation. */
  readonly realmId: number | null;
  readonly subject?: AuditSubject;
}

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
  async record({ action, actor, realmId, subject = {} }: AuditedAct): Promise<void> {
    if (!this.database.inTransaction) throw new Error('an act is recorded in its transaction');
    const context = currentRequestContext();
    await this.database.execute(
      sql`INSERT INTO audit_log
            (kept_until, realm_id, actor, actor_id, client_address, request_id, action, subject)
          VALUES (now() + make_interval(days => ${this.retentionDays}), ${realmId},
                  ${actor.kind}, ${actor.id}, ${context?.clientAddress ?? null}::inet,
                  ${context?.requestId ?? randomUUID()}, ${action},
                  ${JSON.stringify(boundedSubject(subject))}::jsonb)`,
    );
  }
}
