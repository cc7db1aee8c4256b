import { type InputOf } from '#libs/bus';
import {
  type dropStoredQuery,
  Failure,
  type listStoredQueries,
  type Page,
  type putStoredQuery,
  type QueryScope,
} from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { CheckQuery } from './check-query.ts';
import { readQueryText } from './query-text.ts';
import {
  storedQueryColumns,
  type StoredQueryRow,
  type StoredQuerySummary,
  summaryOf,
} from './stored-query-record.ts';

/** The stored queries as their operator keeps them (decision 27). */
@Injectable()
export class KeepStoredQueries {
  constructor(
    private readonly database: Database,
    private readonly checkQuery: CheckQuery,
  ) {}

  /** Stores a query, or replaces the one of its name and scope. @throws {Failure} `invalid` */
  async put(input: InputOf<typeof putStoredQuery>): Promise<StoredQuerySummary> {
    const { name, realmId, applicationId, sql } = input;
    await this.checkQuery.run(readQueryText(sql));
    const scope: QueryScope = applicationId === null ? 'realm' : 'provider';
    const [row] = await this.database.query<StoredQueryRow>(
      `INSERT INTO stored_queries (name, query_scope, realm_id, provider_application_id, sql)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (name, query_scope, realm_id, provider_application_id)
         DO UPDATE SET sql = excluded.sql, updated_at = now()
       RETURNING ${storedQueryColumns}`,
      [name, scope, realmId, applicationId, sql],
    );
    if (!row) throw new Error('INSERT answered no row');
    return summaryOf(row);
  }

  /** All of them, of all realms, in the order of ids. */
  async list(input: InputOf<typeof listStoredQueries>): Promise<Page<StoredQuerySummary>> {
    const rows = await this.database.query<StoredQueryRow>(
      `SELECT ${storedQueryColumns} FROM stored_queries WHERE id > $1 ORDER BY id LIMIT $2`,
      [decodeCursor(input.cursor), input.limit + 1],
    );
    const page = pageOf(rows, input.limit);
    return { items: page.items.map(summaryOf), next: page.next };
  }

  /** @throws {Failure} `not-found`; `invalid` for one that is built in */
  async drop({ storedQueryId }: InputOf<typeof dropStoredQuery>): Promise<void> {
    const [found] = await this.database.query<{ built_in: boolean }>(
      `WITH found AS (SELECT id, query_scope FROM stored_queries WHERE id = $1),
       dropped AS (
         DELETE FROM stored_queries USING found
         WHERE stored_queries.id = found.id AND found.query_scope <> 'bright'
       )
       SELECT query_scope = 'bright' AS built_in FROM found`,
      [storedQueryId],
    );
    if (!found) throw new Failure('not-found', 'no such stored query');
    if (found.built_in) throw new Failure('invalid', 'built-in queries stay');
  }
}
