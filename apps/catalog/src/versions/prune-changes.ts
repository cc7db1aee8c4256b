import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { type Changes, changes } from './changes.ts';

/**
 * Deletes notes of changes, so that few are left to be read, except the last of each owner. A note
 * is kept while an older transaction is under way: it could commit later, and must not make a version
 * that was there before.
 */
@Injectable()
export class PruneChanges {
  constructor(private readonly database: Database) {}

  @PeriodicTask({
    name: 'prune notes of changes',
    everyMs: 10_000,
    restMs: 60_000,
    timeoutMs: 10_000,
  })
  async prune(): Promise<void> {
    for (const each of Object.values(changes)) await this.pruneTable(each);
  }

  private async pruneTable({ table, owner }: Changes): Promise<void> {
    const ended = sql`pg_snapshot_xmin(pg_current_snapshot())`;
    await this.database.execute(sql`
      DELETE FROM ${table} AS c
      USING (
        SELECT ${owner}, max(transaction) AS last FROM ${table}
        WHERE transaction < ${ended}
        GROUP BY ${owner} HAVING count(*) > 1
      ) AS kept
      WHERE c.${owner} = kept.${owner} AND c.transaction < kept.last`);
  }
}
