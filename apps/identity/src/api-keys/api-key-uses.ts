import { Database, sql } from '@registrar/persistence';
import { currentRequestContext, PeriodicTask, runInRequestContext } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';

/** A stored time of use that is younger is not replaced. */
const precisionMs = 5 * 60_000;
/** Keys whose use waits to be stored; the use of others is noted when they are resolved again. */
const maxWaiting = 10_000;
/** Keys whose use one transaction stores. */
const batchSize = 500;
const timeoutMs = 30_000;

const keyRow = z.object({ id: z.number(), realmId: z.number(), isFirstUse: z.boolean() });

/** The request that used a key. */
interface Use {
  readonly at: Date;
  readonly requestId: string;
  readonly clientAddress: string | undefined;
}

/**
 * Stores when API keys were last used: after the request that used them, and every few minutes for
 * each key. The first use of a key is an entry of the audit log.
 */
@Injectable()
export class ApiKeyUses {
  readonly #waiting = new Map<number, Use>();

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Notes that the current request uses a key. */
  note(key: { readonly id: number; readonly lastUsedAt: Date | null }): void {
    const at = new Date();
    if (key.lastUsedAt && at.getTime() - key.lastUsedAt.getTime() < precisionMs) return;
    if (this.#waiting.has(key.id) || this.#waiting.size >= maxWaiting) return;
    const { requestId = '', clientAddress } = currentRequestContext() ?? {};
    this.#waiting.set(key.id, { at, requestId, clientAddress });
  }

  /** @returns whether there is more to store */
  @PeriodicTask({ name: 'store the use of API keys', everyMs: 5_000, timeoutMs })
  async store(): Promise<boolean> {
    const uses = new Map([...this.#waiting].slice(0, batchSize));
    if (uses.size === 0) return false;
    await this.database.transaction(() => this.storeBatch(uses));
    for (const id of uses.keys()) this.#waiting.delete(id);
    return this.#waiting.size > 0;
  }

  private async storeBatch(uses: ReadonlyMap<number, Use>): Promise<void> {
    const ids = [...uses.keys()];
    const keys = await this.database.many(
      keyRow,
      sql`SELECT id, realm_id AS "realmId", last_used_at IS NULL AS "isFirstUse"
          FROM api_keys WHERE id = ANY (${ids}) ORDER BY id FOR UPDATE`,
    );
    const times = [...uses.values()].map(({ at }) => at);
    await this.database.execute(
      sql`UPDATE api_keys AS k SET last_used_at = greatest(k.last_used_at, used.at)
          FROM unnest(${ids}::bigint[], ${times}::timestamptz[]) AS used (id, at)
          WHERE k.id = used.id`,
    );
    for (const { id, realmId, isFirstUse } of keys) {
      const use = uses.get(id);
      if (!isFirstUse || !use) continue;
      const { requestId, clientAddress } = use;
      const deadline = Date.now() + timeoutMs;
      // The entry names the request that used the key.
      await runInRequestContext(
        { requestId, deadline, ...(clientAddress && { clientAddress }) },
        () =>
          this.audit.record({
            action: 'api-key.first-used',
            actor: { kind: 'api_key', id },
            realmId,
            subject: { api_key_id: id, used_at: use.at.toISOString() },
          }),
      );
    }
  }
}
