import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listRealms, realmSummary, toTimestamp } from '@registrar/contracts';
import { Database, decodeCursor, sql, toPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

const summaryRow = realmSummary.extend({
  created_at: z.date(),
  disabled_at: z.date().nullable(),
});

/** Lists all realms of the installation for its operator. */
@Controller()
export class ListRealms {
  constructor(private readonly database: Database) {}

  @HandleRequest(listRealms)
  async list({ cursor, limit }: InputOf<typeof listRealms>): Promise<ReplyOf<typeof listRealms>> {
    const rows = await this.database.many(
      summaryRow,
      sql`SELECT r.id, r.guid, r.name, r.created_at, r.disabled_at,
                 (SELECT count(*) FROM provider_applications WHERE realm_id = r.id)
                   AS provider_applications,
                 (SELECT count(*) FROM realm_users WHERE realm_id = r.id) AS users
          FROM realms AS r
          WHERE r.id > ${decodeCursor(cursor)}
          ORDER BY r.id
          LIMIT ${limit + 1}`,
    );
    const { items, next } = toPage(rows, limit);
    return {
      items: items.map((row) => ({
        ...row,
        created_at: toTimestamp(row.created_at),
        disabled_at: row.disabled_at && toTimestamp(row.disabled_at),
      })),
      next,
    };
  }
}
