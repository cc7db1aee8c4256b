import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listCrawlHistory } from '@registrar/contracts';
import { Database, decodeCursor, sql, timestampOf, toPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

const entryRow = listCrawlHistory.item.extend({ id: z.number() });

/** Lists the finished crawls of a provider application, the newest first, for the operator. */
@Controller()
export class ListCrawlHistory {
  constructor(private readonly database: Database) {}

  @HandleRequest(listCrawlHistory)
  async list(input: InputOf<typeof listCrawlHistory>): Promise<ReplyOf<typeof listCrawlHistory>> {
    const { application, cursor, limit } = input;
    const before = cursor === null ? sql`true` : sql`id < ${decodeCursor(cursor)}`;
    const rows = await this.database.many(
      entryRow,
      sql`SELECT id, ${timestampOf(sql`finished_at`)} AS finished_at, kind, outcome, items,
                 round(extract(epoch FROM finished_at - started_at))::integer AS seconds, error
          FROM crawl_history
          WHERE application_id = ${application} AND ${before}
          ORDER BY id DESC
          LIMIT ${limit + 1}`,
    );
    const { items, next } = toPage(rows, limit);
    return { items: items.map(({ id: _, ...entry }) => entry), next };
  }
}
