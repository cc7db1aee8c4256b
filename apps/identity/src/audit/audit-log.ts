import type { Act, AuditedAct } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { currentRequestContext, describeAct } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type IdentitySettings, identitySettingsToken } from '../settings.ts';

/**
 * The entries of an hour that a realm's pair and its keys can cause, and as many each provider application's pair
 * and its keys. Acts of the operator do not count.
 */
export const maxEntriesPerHour = 10_000;

/** Whose bound an act counts against. */
interface Accounts {
  readonly realmId: number;
  readonly owner: string;
  /** The API key that acted; null for a pair. */
  readonly key: string | null;
}

/** Null for acts that are not bounded. */
function accountsOf({ realmId, actor: { kind, id, applicationId } }: AuditedAct): Accounts | null {
  if (kind === 'operator' || realmId === null) return null;
  return {
    realmId,
    owner: ownerOf(kind, applicationId),
    key: kind === 'api_key' ? `key ${id}` : null,
  };
}

/** The users of the console have the bound of a pair, together. */
function ownerOf(kind: AuditedAct['actor']['kind'], applicationId: number | null): string {
  if (kind === 'console') return 'console';
  return applicationId === null ? 'realm' : `application ${applicationId}`;
}

/** SQL expression: the hour that entries count in. */
const hour = sql`date_trunc('hour', now(), 'UTC')`;

/**
 * Appends to the audit log. Beyond {@link maxEntriesPerHour} one entry says that the acts of the rest of the hour
 * are missing, for each pair and key that has acted. Address and request id are those of the current request. Only acts that
 * succeed are recorded; refused requests are in the log of the gateway.
 */
@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    @Inject(identitySettingsToken) private readonly settings: IdentitySettings,
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
    const accounts = accountsOf(act);
    if (accounts === null || (await this.countEntry(accounts))) return this.insert(act);
    if (!(await this.countFirstMissing(accounts))) return;
    const subject = { entries_per_hour: maxEntriesPerHour };
    await this.insert({ ...act, action: 'audit.limit-reached', subject });
  }

  /**
   * Counts an entry in the current hour. A key gets another one as long as it has fewer than its owner has left, so
   * that one key alone has half of them, and the next ones half of the rest.
   *
   * @returns whether it is within the bound
   */
  private async countEntry({ realmId, owner, key }: Accounts): Promise<boolean> {
    const accounts = key === null ? [owner] : [owner, key];
    const counted = await this.database.execute(
      sql`INSERT INTO audit_budgets AS b (realm_id, account, hour, entries)
          SELECT ${realmId}, account, ${hour}, 1
          FROM unnest(${accounts}::text[]) AS account,
               (SELECT coalesce(sum(entries) FILTER (WHERE account = ${owner}), 0) AS of_owner,
                       coalesce(sum(entries) FILTER (WHERE account = ${key}), 0) AS of_key
                FROM audit_budgets
                WHERE realm_id = ${realmId} AND account = ANY (${accounts}) AND hour = ${hour}) AS had
          WHERE of_key < ${maxEntriesPerHour} - of_owner
          ON CONFLICT (realm_id, account, hour) DO UPDATE SET entries = b.entries + 1`,
    );
    return counted > 0;
  }

  /** Returns whether an act beyond the bound is the first of its pair or key in the current hour. */
  private async countFirstMissing({ realmId, owner, key }: Accounts): Promise<boolean> {
    const inserted = await this.database.execute(
      sql`INSERT INTO audit_budgets (realm_id, account, hour, entries)
          VALUES (${realmId}, ${`missing of ${key ?? owner}`}, ${hour}, 0)
          ON CONFLICT DO NOTHING`,
    );
    return inserted > 0;
  }

  private async insert(act: AuditedAct): Promise<void> {
    const { occurredAt, realmId, actor, clientAddress, action, subject } = act;
    await this.database.execute(
      sql`INSERT INTO audit_log
            (occurred_at, kept_until, realm_id, actor, actor_id, actor_name, client_address, request_id,
             action, subject)
          VALUES (${occurredAt}::timestamptz,
                  ${occurredAt}::timestamptz + make_interval(days => ${this.settings.AUDIT_RETENTION_DAYS}),
                  ${realmId}, ${actor.kind}, ${actor.id}, ${actor.name ?? null},
                  ${clientAddress}::inet,
                  ${currentRequestContext()?.requestId ?? randomUUID()}, ${action},
                  ${JSON.stringify(subject)}::jsonb)`,
    );
  }
}
