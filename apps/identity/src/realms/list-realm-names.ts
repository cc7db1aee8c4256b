import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listRealmNames, realmName } from '@registrar/contracts';
import { customPlan, Database, join, sql, timestampOf } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { encodeRowCursor, parseRowCursor } from '../row-cursor.ts';

const nameRow = realmName.extend({ id: z.number() });
/** The name and the id of a realm. */
const parsedCursor = z.tuple([z.string(), z.int()]);

/** Lists the names of realms for the console. */
@Controller()
export class ListRealmNames {
  constructor(private readonly database: Database) {}

  @HandleRequest(listRealmNames)
  async list({
    guids,
    text,
    cursor,
    limit,
  }: InputOf<typeof listRealmNames>): Promise<ReplyOf<typeof listRealmNames>> {
    const conditions = [sql`true`];
    if (guids !== null) conditions.push(sql`r.guid = ANY (${guids}::text[])`);
    if (text !== null) conditions.push(sql`strpos(lower(r.name), lower(${text})) > 0`);
    if (cursor !== null) {
      const [name, id] = parseRowCursor(cursor, parsedCursor);
      conditions.push(sql`(r.name, r.id) > (${name}, ${id})`);
    }
    const rows = await this.database.many(
      nameRow,
      sql`SELECT r.id, r.guid, r.name, ${timestampOf(sql`r.disabled_at`)} AS disabled_at
          FROM realms AS r
          WHERE ${join(conditions, ' AND ')}
          ORDER BY r.name, r.id
          LIMIT ${limit + 1} ${customPlan}`,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page.map(({ id: _id, ...item }) => item),
      next: rows.length > limit && last ? encodeRowCursor([last.name, last.id]) : null,
    };
  }
}
