import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { readVersions } from '@registrar/contracts';
import { Database, raw, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

/** Where triggers note the transactions that change records, and the column that names their owner. */
const changes = {
  courses: { table: raw('course_changes'), owner: raw('provider_application_id') },
  templates: { table: raw('template_changes'), owner: raw('realm_id') },
};
type Changes = (typeof changes)[keyof typeof changes];

const versionRow = z.object({ version: z.string() });

/** Tells whether copies of courses and templates are still up to date. */
@Controller()
export class RecordVersions {
  constructor(private readonly database: Database) {}

  @HandleRequest(readVersions)
  async read({
    applicationIds,
    realmIds,
  }: InputOf<typeof readVersions>): Promise<ReplyOf<typeof readVersions>> {
    return {
      courses: await this.versions(changes.courses, applicationIds),
      templates: await this.versions(changes.templates, realmIds),
    };
  }

  /**
   * A version is a hash of the transactions that are noted. Each change adds one that no earlier
   * version has, in whatever order transactions commit.
   */
  private async versions(
    { table, owner }: Changes,
    ownerIds: readonly number[],
  ): Promise<string[]> {
    if (ownerIds.length === 0) return [];
    const rows = await this.database.many(
      versionRow,
      sql`
        SELECT coalesce(
                 (SELECT md5(string_agg(c.transaction::text, ' ' ORDER BY c.transaction))
                  FROM ${table} AS c WHERE c.${owner} = asked.id),
                 '') AS version
        FROM unnest(${ownerIds}::bigint[]) WITH ORDINALITY AS asked (id, position)
        ORDER BY asked.position`,
    );
    return rows.map(({ version }) => version);
  }

  /**
   * Deletes notes of changes, so that few are left to be read, except the last of each owner. A note
   * is kept while an older transaction is under way: it could commit later, and must not make a version
   * that was there before.
   */
  @PeriodicTask({
    name: 'prune notes of changes',
    everyMs: 10_000,
    restMs: 60_000,
    timeoutMs: 10_000,
  })
  async prune(): Promise<void> {
    const ended = sql`pg_snapshot_xmin(pg_current_snapshot())`;
    for (const { table, owner } of Object.values(changes)) {
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
}
