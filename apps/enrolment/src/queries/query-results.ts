import { type AccessScope, Failure, type Page } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type * as z from 'zod';

type Row = Record<string, z.core.util.JSONType>;

/** How long a result can be read (libs/contracts, enrolment-queries). */
const kept = `interval '1 hour'`;

/** How many rows one pass drops at most. */
const dropSize = 20_000;

/** What a scope reaches, in a form that can be compared: a result is for nobody else. */
const reachOf = ({ realmId, applicationIds, wholeRealm, user }: AccessScope) =>
  JSON.stringify({
    realmId,
    applicationIds: applicationIds.toSorted((a, b) => a - b),
    wholeRealm,
    userId: user?.id ?? null,
  });

/** The results of queries, from their run until nobody can read them any more. */
@Injectable()
export class QueryResults {
  constructor(private readonly database: Database) {}

  async begin(scope: AccessScope): Promise<string> {
    const [result] = await this.database.query<{ id: string }>(
      'INSERT INTO query_results (reach) VALUES ($1) RETURNING id',
      [reachOf(scope)],
    );
    if (!result) throw new Error('INSERT answered no row');
    return result.id;
  }

  /** Adds rows, each as JSON text, after the `count` that there are. */
  async append(resultId: string, count: number, rows: readonly string[]): Promise<void> {
    await this.database.query(
      `INSERT INTO query_result_rows (result_id, position, content)
       SELECT $1, $2 + place, content
       FROM unnest($3::json[]) WITH ORDINALITY AS r (content, place)`,
      [resultId, count, rows],
    );
  }

  /** @throws {Failure} `not-found` for a result of another scope, or one that is over */
  async read(
    scope: AccessScope,
    asked: { resultId: string; cursor: string | null; limit: number },
  ): Promise<Page<Row>> {
    const [result] = await this.database.query(
      `SELECT id FROM query_results
       WHERE id = $1 AND reach = $2 AND created_at > now() - ${kept}`,
      [asked.resultId, reachOf(scope)],
    );
    if (!result) throw new Failure('not-found', 'no such query result for this access');
    const rows = await this.database.query<{ id: number; content: Row }>(
      `SELECT position AS id, content FROM query_result_rows
       WHERE result_id = $1 AND position > $2
       ORDER BY position
       LIMIT $3`,
      [asked.resultId, decodeCursor(asked.cursor), asked.limit + 1],
    );
    const page = pageOf(rows, asked.limit);
    return { items: page.items.map((row) => row.content), next: page.next };
  }

  /** Drops results that are over, a batch of rows at a time. @returns how many pieces there were */
  async dropOld(): Promise<number> {
    const [dropped] = await this.database.query<{ pieces: number }>(
      `WITH batch AS (
         SELECT content.result_id, content.position
         FROM query_results AS result
         JOIN query_result_rows AS content ON content.result_id = result.id
         WHERE result.created_at < now() - ${kept}
         LIMIT ${dropSize}
       ), rows_gone AS (
         DELETE FROM query_result_rows AS content
         USING batch
         WHERE content.result_id = batch.result_id AND content.position = batch.position
         RETURNING 1
       ), results_gone AS (
         DELETE FROM query_results AS result
         WHERE result.created_at < now() - ${kept}
           AND NOT EXISTS (
             SELECT FROM query_result_rows AS content WHERE content.result_id = result.id
           )
         RETURNING 1
       )
       SELECT ((SELECT count(*) FROM rows_gone) + (SELECT count(*) FROM results_gone))::integer
         AS pieces`,
    );
    return dropped?.pieces ?? 0;
  }
}
