import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { type AccessScope, Failure, readQueryResult } from '@registrar/contracts';
import {
  boundedRows,
  bytesOf,
  Database,
  decodeCursor,
  sql,
  toBoundedPage,
} from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Controller, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { resultOwner, resultReach } from '../access-rules.ts';

/** How long a result can be read (libs/contracts, readQueryResult): seconds. */
const retentionSeconds = 3_600;
/** The time for which a result can be read, as an interval of SQL. */
const resultRetention = sql`${retentionSeconds} * interval '1 second'`;

/** How much a realm without limits of its own may keep (docs/operations.md#limits-of-realms). */
const defaultLimits = { queryRows: 2_000_000, queryMegabytes: 512 };

const bytesPerMegabyte = 1024 * 1024;

/** How many rows one round prunes at most. */
const pruneLimit = 20_000;

const resultRow = z.object({ id: z.string() });
const contentRow = z.object({
  id: z.number(),
  content: z.record(z.string(), z.json()),
  more: z.boolean(),
});
const keptRow = z.object({
  rows: z.number(),
  bytes: z.number(),
  ownRows: z.number(),
  ownBytes: z.number(),
  secondsToWait: z.number(),
});

/** The results of stored queries. They are deleted an hour after their query has run. */
@Injectable()
export class QueryResults {
  constructor(private readonly database: Database) {}

  /** Creates an empty result and returns its id. */
  async create(scope: AccessScope): Promise<string> {
    const { id } = await this.database.one(
      resultRow,
      sql`INSERT INTO query_results (reach, realm_id, owner)
          VALUES (${resultReach(scope)}, ${scope.realmId}, ${resultOwner(scope)}) RETURNING id`,
    );
    return id;
  }

  /**
   * Appends rows, each as JSON text, to a result of `count` rows. An owner may keep as much as it
   * leaves free, so that it cannot take everything from the others of its realm; the realm pair may
   * keep all of it.
   *
   * @throws {Failure} `over-limit` when the results of the realm or of the owner have become too large
   * together, with the time until the realm's oldest result is deleted
   */
  async append(
    scope: AccessScope,
    resultId: string,
    count: number,
    rows: readonly string[],
  ): Promise<void> {
    const { realmId, limits } = scope;
    const owner = resultOwner(scope);
    const addedBytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0);
    const before = await this.database.one(
      keptRow,
      sql`WITH stored AS (
            INSERT INTO query_result_rows (result_id, position, content)
            SELECT ${resultId}, ${count} + place, content
            FROM unnest(${rows}::json[]) WITH ORDINALITY AS r (content, place)
          ), counted AS (
            UPDATE query_results
            SET row_count = row_count + ${rows.length}, byte_count = byte_count + ${addedBytes}
            WHERE id = ${resultId}
          )
          SELECT coalesce(sum(row_count), 0)::bigint AS rows,
                 coalesce(sum(byte_count), 0)::bigint AS bytes,
                 coalesce(sum(row_count) FILTER (WHERE owner = ${owner}), 0)::bigint AS "ownRows",
                 coalesce(sum(byte_count) FILTER (WHERE owner = ${owner}), 0)::bigint AS "ownBytes",
                 ceil(${retentionSeconds} - extract(epoch FROM now() - min(created_at)))::integer
                   AS "secondsToWait"
          FROM query_results
          WHERE realm_id = ${realmId} AND created_at > now() - ${resultRetention}`,
    );
    const { queryRows, queryMegabytes } = { ...defaultLimits, ...limits };
    const freeRows = queryRows - before.rows - rows.length;
    const freeBytes = queryMegabytes * bytesPerMegabyte - before.bytes - addedBytes;
    const hasRoom = freeRows >= 0 && freeBytes >= 0;
    const isWithinShare =
      owner === null ||
      (before.ownRows + rows.length <= freeRows && before.ownBytes + addedBytes <= freeBytes);
    if (hasRoom && isWithinShare) return;
    const whose = hasRoom ? `${owner} in realm ${realmId}` : `realm ${realmId}`;
    const bounds = `${hasRoom ? 'its share of ' : ''}${queryRows} rows or ${queryMegabytes} MiB`;
    const message = `the query results of ${whose} exceed ${bounds}`;
    const retryAfterSeconds = Math.max(1, before.secondsToWait);
    throw new Failure('over-limit', message, undefined, { retryAfterSeconds });
  }

  /** Gives up a result that is not complete; it counts no longer and is pruned with the old ones. */
  async discard(resultId: string): Promise<void> {
    await this.database.execute(
      sql`UPDATE query_results SET created_at = now() - 2 * ${resultRetention} WHERE id = ${resultId}`,
    );
  }

  /** Deletes a batch of expired rows and results. Returns how many it has deleted. */
  @PeriodicTask({ name: 'prune query results', everyMs: 5_000, restMs: 20_000, timeoutMs: 30_000 })
  async prune(): Promise<number> {
    const { deleted } = await this.database.one(
      z.object({ deleted: z.number() }),
      sql`WITH batch AS (
            SELECT content.result_id, content.position
            FROM query_results AS result
            JOIN query_result_rows AS content ON content.result_id = result.id
            WHERE result.created_at < now() - ${resultRetention}
            LIMIT ${pruneLimit}
          ), deleted_rows AS (
            DELETE FROM query_result_rows AS content
            USING batch
            WHERE content.result_id = batch.result_id AND content.position = batch.position
            RETURNING 1
          ), deleted_results AS (
            DELETE FROM query_results AS result
            WHERE result.created_at < now() - ${resultRetention}
              AND NOT EXISTS (
                SELECT FROM query_result_rows AS content WHERE content.result_id = result.id
              )
            RETURNING 1
          )
          SELECT (SELECT count(*) FROM deleted_rows) + (SELECT count(*) FROM deleted_results)
            AS deleted`,
    );
    return deleted;
  }
}

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
