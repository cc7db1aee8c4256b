import { Database, raw, type Sql, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Inject, Injectable, Optional } from '@nestjs/common';

const everyMs = 3_600_000;
const timeoutMs = 60_000;

/** Rows that one statement deletes. A longer statement would delay the writers of the table. */
const batchSize = 5_000;

/**
 * Deletes the rows of the bus that are older than their retention, a batch per round: message ids are kept
 * longer than any event can be under way.
 */
@Injectable()
export class PruneBusTables {
  constructor(@Optional() @Inject(Database) private readonly database: Database | undefined) {}

  @PeriodicTask({ name: 'prune the inbox', everyMs, timeoutMs })
  pruneInbox(): Promise<boolean> {
    return this.#prune('inbox', sql`handled_at < now() - interval '14 days'`);
  }

  @PeriodicTask({ name: 'prune the idempotency store', everyMs, timeoutMs })
  async pruneIdempotencyStore(): Promise<boolean> {
    const outcomes = await this.#prune('outcomes', sql`kept_at < now() - interval '24 hours'`);
    const uses = await this.#prune('key_uses', sql`used_at < now() - interval '24 hours'`);
    return outcomes || uses;
  }

  /** Returns whether there may be more rows to delete. */
  async #prune(table: string, isExpired: Sql): Promise<boolean> {
    const name = raw(table);
    const deleted = await this.database?.execute(
      sql`DELETE FROM ${name} WHERE ctid = ANY (
            ARRAY(SELECT ctid FROM ${name} WHERE ${isExpired} LIMIT ${batchSize}))`,
    );
    return deleted === batchSize;
  }
}
