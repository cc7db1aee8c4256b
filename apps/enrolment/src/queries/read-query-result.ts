import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, readQueryResult } from '@registrar/contracts';
import {
  boundedRows,
  bytesOf,
  Database,
  decodeCursor,
  sql,
  toBoundedPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { resultReach } from '../access-rules.ts';
import { resultRetention } from './query-results.ts';

const resultRow = z.object({ id: z.string() });
const contentRow = z.object({
  id: z.number(),
  content: z.record(z.string(), z.json()),
  more: z.boolean(),
});

/** Reads the result of a stored query page by page. */
@Controller()
export class ReadQueryResult {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` for a result of another scope, and after the retention */
  @HandleRequest(readQueryResult)
  async read(input: InputOf<typeof readQueryResult>): Promise<ReplyOf<typeof readQueryResult>> {
    const { scope, resultId, cursor } = input;
    const result = await this.database.maybeOne(
      resultRow,
      sql`SELECT id FROM query_results
          WHERE id = ${resultId} AND reach = ${resultReach(scope)}
            AND created_at > now() - ${resultRetention}`,
    );
    if (!result) throw new Failure('not-found', 'no such query result for this access');
    const listed = sql`
      SELECT position AS id, content FROM query_result_rows
      WHERE result_id = ${resultId} AND position > ${decodeCursor(cursor)}`;
    const rows = await this.database.many(
      contentRow,
      sql`SELECT r.id, r.content, r.more
          FROM (${boundedRows(listed, bytesOf(sql`page.content`), input)}) AS r
          ORDER BY r.id`,
    );
    const page = toBoundedPage(rows);
    return { items: page.items.map((row) => row.content), next: page.next };
  }
}
