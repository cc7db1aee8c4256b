import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listCrawlHistory, toTimestamp } from '@registrar/contracts';
import { Database, decodeCursor, sql, toPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

const entryRow = z.object({
  id: z.number(),
  kind: z.string(),
  outcome: z.enum(['done', 'failed']),
  items: z.number(),
  startedAt: z.date(),
  finishedAt: z.date(),
  error: z.string().nullable(),
});

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
      sql`SELECT id, kind, outcome, items, started_at AS "startedAt",
                 finished_at AS "finishedAt", error
          FROM crawl_history
          WHERE application_id = ${application} AND ${before}
          ORDER BY id DESC
          LIMIT ${limit + 1}`,
    );
    const { items, next } = toPage(rows, limit);
    return {
      items: items.map(({ id: _, startedAt, finishedAt, ...entry }) => ({
        finished_at: toTimestamp(finishedAt),
        seconds: Math.round((finishedAt.getTime() - startedAt.getTime()) / 1_000),
        ...entry,
      })),
      next,
    };
  }
}
