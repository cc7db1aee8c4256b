import type { Act, AuditedAct } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { currentRequestContext, describeAct } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';

/** Injects how many days entries of the audit log are kept. */
export const auditRetentionDays = Symbol('retention of the audit log in days');

/** The entries that callers of one realm can cause in an hour. Acts of the operator do not count. */
export const maxEntriesPerRealmAndHour = 10_000;

const budgetRow = z.object({ entries: z.number() });

/**
 * Appends to the audit log. Beyond {@link maxEntriesPerRealmAndHour} one entry says that the acts of
 * the rest of the hour are missing. Address and request id are those of the current request. Only acts that
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
  async append(act: AuditedAct): Promise<void> {
    const { actor, realmId } = act;
    const isCaller = actor.kind !== 'operator';
    const entries = isCaller && realmId !== null ? await this.countEntry(realmId) : 0;
    if (entries === null) return;
    if (entries <= maxEntriesPerRealmAndHour) return this.insert(act);
    const subject = { entries_per_hour: maxEntriesPerRealmAndHour };
    await this.insert({ ...act, action: 'audit.limit-reached', subject });
  }

  /**
   * Counts an entry of a realm in the current hour.
   *
   * @returns the number of entries; null if the hour has had one more than it may have
   */
  private async countEntry(realmId: number): Promise<number | null> {
    const counted = await this.database.maybeOne(
      budgetRow,
      sql`INSERT INTO audit_budgets AS counted (realm_id, hour, entries)
          VALUES (${realmId}, date_trunc('hour', now(), 'UTC'), 1)
          ON CONFLICT (realm_id) DO UPDATE
          SET entries = CASE WHEN counted.hour < excluded.hour THEN 1 ELSE counted.entries + 1 END,
              hour = greatest(counted.hour, excluded.hour)
          WHERE counted.hour < excluded.hour OR counted.entries <= ${maxEntriesPerRealmAndHour}
          RETURNING entries`,
    );
    return counted?.entries ?? null;
  }

  private async insert(act: AuditedAct): Promise<void> {
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
