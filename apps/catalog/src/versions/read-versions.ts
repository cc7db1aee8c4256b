import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { readVersions } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { type Changes, changes } from './changes.ts';

const versionRow = z.object({ version: z.string() });

/** Tells whether copies of courses and templates are still up to date. */
@Controller()
export class ReadVersions {
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
}
