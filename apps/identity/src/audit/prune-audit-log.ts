import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { type IdentitySettings, identitySettingsToken } from '../settings.ts';

/** Entries that one statement deletes. */
const batchSize = 5_000;

/**
 * Deletes entries of the audit log after their retention: the one that they were recorded with, and
 * the current one if that is longer. Deletes the counts of past hours too.
 */
@Injectable()
export class PruneAuditLog {
  constructor(
    private readonly database: Database,
    @Inject(identitySettingsToken)
    private readonly settings: Pick<IdentitySettings, 'AUDIT_RETENTION_DAYS'>,
  ) {}

  /** @returns whether there may be more to delete */
  @PeriodicTask({ name: 'prune the audit log', everyMs: 60 * 60_000, timeoutMs: 60_000 })
  async prune(): Promise<boolean> {
    await this.database.execute(
      sql`DELETE FROM audit_budgets WHERE hour < now() - interval '1 hour'`,
    );
    const deleted = await this.database.execute(
      sql`DELETE FROM audit_log WHERE id = ANY (ARRAY(
            SELECT id FROM audit_log
            WHERE kept_until <= now()
              AND occurred_at < now() - make_interval(days => ${this.settings.AUDIT_RETENTION_DAYS})
            LIMIT ${batchSize}))`,
    );
    return deleted === batchSize;
  }
}
