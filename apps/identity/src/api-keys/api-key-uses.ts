import { Database, sql } from '@registrar/persistence';
import { clock, PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.ts';

/** A stored time of use that is younger is not replaced. */
const precisionMs = 5 * 60_000;
/** Keys whose use waits to be stored; the use of others is noted when they are resolved again. */
const maxWaiting = 10_000;
/** Keys whose use one transaction stores. */
const batchSize = 500;
const timeoutMs = 30_000;

/** A key that a request uses. */
interface UsedKey {
  readonly id: number;
  readonly realmId: number;
  readonly applicationId: number | null;
  readonly lastUsedAt: Date | null;
}

/**
 * Stores when API keys were last used: the first use at once, with its entry in the audit log, and
 * later ones after the request that used them, every few minutes for each key.
 */
@Injectable()
export class ApiKeyUses {
  readonly #waiting = new Map<number, Date>();

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Notes that the current request uses a key. */
  async note(key: UsedKey): Promise<void> {
    if (key.lastUsedAt === null) return this.storeFirst(key);
    const at = clock.date();
    if (at.getTime() - key.lastUsedAt.getTime() < precisionMs) return;
    if (this.#waiting.has(key.id) || this.#waiting.size >= maxWaiting) return;
    this.#waiting.set(key.id, at);
  }

  /** @returns whether there is more to store */
  @PeriodicTask({ name: 'store the use of API keys', everyMs: 5_000, timeoutMs })
  async store(): Promise<boolean> {
    const uses = new Map([...this.#waiting].slice(0, batchSize));
    if (uses.size === 0) return false;
    await this.database.transaction(() => this.storeBatch([...uses.keys()], [...uses.values()]));
    for (const id of uses.keys()) this.#waiting.delete(id);
    return this.#waiting.size > 0;
  }

  private storeFirst({ id, realmId, applicationId }: UsedKey): Promise<void> {
    return this.database.transaction(async () => {
      const stored = await this.database.execute(
        sql`UPDATE api_keys SET last_used_at = now()
            WHERE realm_id = ${realmId} AND id = ${id} AND last_used_at IS NULL`,
      );
      // Another request was first, or the key was revoked meanwhile.
      if (stored === 0) return;
      await this.audit.record({
        action: 'api-key.first-used',
        actor: { kind: 'api_key', id, applicationId },
        realmId,
        subject: { api_key_id: id },
      });
    });
  }

  private async storeBatch(ids: readonly number[], times: readonly Date[]): Promise<void> {
    // In order, so that replicas do not wait for each other in a circle.
    await this.database.execute(
      sql`SELECT FROM api_keys WHERE id = ANY (${ids}) ORDER BY id FOR UPDATE`,
    );
    await this.database.execute(
      sql`UPDATE api_keys AS k SET last_used_at = greatest(k.last_used_at, used.at)
          FROM unnest(${ids}::bigint[], ${times}::timestamptz[]) AS used (id, at)
          WHERE k.id = used.id`,
    );
  }
}
