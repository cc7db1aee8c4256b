import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  checkStoredQuery,
  deleteStoredQuery,
  dropStoredQuery,
  enrolmentAudited,
  Failure,
  listRunnableQueries,
  listStoredQueries,
  operatorActor,
  putStoredQuery,
  type QueryScope,
  storedQuerySummary,
} from '@registrar/contracts';
import { Database, decodeCursor, empty, sql, toPage } from '@registrar/persistence';
import { describeAct } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import type * as z from 'zod';
import { reachedStoredQueries, requireRealmAccess } from '../access-rules.ts';
import { publishAct } from '../publish-act.ts';
import { CheckQuery } from './check-query.ts';
import { parseQueryText, QueryFault } from './query-text.ts';

/** Texts of queries are long: a page of more would not fit into a message of the bus. */
const maxQueries = 100;

const queryRow = storedQuerySummary.omit({ parameters: true });

/** The columns of a {@link queryRow}, in a statement on `stored_queries AS q`. */
const columns = sql`
  q.id, q.name, q.query_scope, q.realm_id, q.provider_application_id, q.sql`;

const toSummary = (query: z.output<typeof queryRow>): z.output<typeof storedQuerySummary> => ({
  ...query,
  parameters: [...parseQueryText(query.sql).parameters],
});

/**
 * Lists, stores and drops the queries of realms and provider applications for the operator
 * (contract/stored-queries#own-queries), and deletes them for clients.
 */
@Controller()
export class ManageStoredQueries {
  constructor(
    private readonly checkQuery: CheckQuery,
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Lists those of all realms. */
  @HandleRequest(listStoredQueries)
  async list({
    cursor,
    limit,
  }: InputOf<typeof listStoredQueries>): Promise<ReplyOf<typeof listStoredQueries>> {
    const size = Math.min(limit, maxQueries);
    const queries = await this.database.many(
      queryRow,
      sql`SELECT ${columns} FROM stored_queries AS q
          WHERE q.id > ${decodeCursor(cursor)}
          ORDER BY q.id LIMIT ${size + 1}`,
    );
    const { items, next } = toPage(queries, size);
    return { items: items.map(toSummary), next };
  }

  /** Lists those that a scope may run. */
  @HandleRequest(listRunnableQueries)
  async listRunnable({
    scope,
    name,
    cursor,
    limit,
  }: InputOf<typeof listRunnableQueries>): Promise<ReplyOf<typeof listRunnableQueries>> {
    requireRealmAccess(scope);
    const size = Math.min(limit, maxQueries);
    const queries = await this.database.many(
      queryRow,
      sql`SELECT ${columns} FROM stored_queries AS q
          WHERE q.id > ${decodeCursor(cursor)} AND ${reachedStoredQueries(scope)}
            ${name === null ? empty : sql`AND q.name = ${name}`}
          ORDER BY q.id LIMIT ${size + 1}`,
    );
    const { items, next } = toPage(queries, size);
    return { items: items.map(toSummary), next };
  }

  /**
   * Stores a query, which replaces that of the same name and scope.
   *
   * @throws {Failure} `invalid` for a query that {@link CheckQuery} rejects
   */
  @HandleRequest(putStoredQuery)
  async put(input: InputOf<typeof putStoredQuery>): Promise<ReplyOf<typeof putStoredQuery>> {
    const { name, realmId, applicationId, sql: text } = input;
    await this.checkQuery.check(parseQueryText(text));
    const queryScope: QueryScope = applicationId === null ? 'realm' : 'provider';
    return this.database.transaction(async () => {
      const query = await this.database.one(
        queryRow,
        sql`INSERT INTO stored_queries AS q
              (name, query_scope, realm_id, provider_application_id, sql)
            VALUES (${name}, ${queryScope}, ${realmId}, ${applicationId}, ${text})
            ON CONFLICT (name, query_scope, realm_id, provider_application_id) DO UPDATE
            SET sql = excluded.sql, updated_at = now()
            RETURNING ${columns}`,
      );
      await this.recordAct('query.stored', query, { application_id: applicationId });
      return toSummary(query);
    });
  }

  /** Checks a query as {@link put} does. */
  @HandleRequest(checkStoredQuery)
  async check({
    sql: text,
  }: InputOf<typeof checkStoredQuery>): Promise<ReplyOf<typeof checkStoredQuery>> {
    try {
      await this.checkQuery.check(parseQueryText(text));
      return { problem: null };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
      const { message } = error;
      if (!(error instanceof QueryFault)) return { problem: { message, offset: null } };
      return { problem: { message: error.reason, offset: error.offset } };
    }
  }

  /** @throws {Failure} `not-found`; `invalid` for a built-in query */
  @HandleRequest(dropStoredQuery)
  async drop({
    storedQueryId: id,
  }: InputOf<typeof dropStoredQuery>): Promise<ReplyOf<typeof dropStoredQuery>> {
    return this.database.transaction(async () => {
      const query = await this.database.maybeOne(
        queryRow,
        sql`DELETE FROM stored_queries AS q WHERE q.id = ${id} RETURNING ${columns}`,
      );
      if (!query) throw new Failure('not-found', `no stored query ${id}`);
      // The failure rolls the deletion back.
      if (query.query_scope === 'bright') {
        throw new Failure('invalid', 'built-in queries cannot be dropped');
      }
      await this.recordAct('query.deleted', query);
      return {};
    });
  }

  /**
   * Deletes a query of a realm or of a provider application for a client (contract/stored-queries#delete).
   *
   * @throws {Failure} `not-found` when the scope reaches no such query that is not built in, or
   * more than one; `unauthenticated`
   */
  @HandleRequest(deleteStoredQuery)
  async delete(
    input: InputOf<typeof deleteStoredQuery>,
  ): Promise<ReplyOf<typeof deleteStoredQuery>> {
    const { scope, name, queryScope, applicationId } = input;
    requireRealmAccess(scope);
    return this.database.transaction(async () => {
      const [found, another] = await this.database.many(
        queryRow,
        sql`SELECT ${columns} FROM stored_queries AS q
            WHERE q.name = ${name} AND ${reachedStoredQueries(scope)}
              AND q.query_scope <> 'bright'
              ${queryScope === null ? empty : sql`AND q.query_scope = ${queryScope}`}
              ${applicationId === null ? empty : sql`AND q.provider_application_id = ${applicationId}`}
            ORDER BY q.id
            LIMIT 2
            FOR UPDATE`,
      );
      if (!found) throw new Failure('not-found', 'no stored query of that name for this access');
      if (another) throw new Failure('not-found', 'several stored queries have that name');
      const { id, query_scope } = found;
      await this.database.execute(
        sql`DELETE FROM stored_queries AS q WHERE ${reachedStoredQueries(scope)} AND q.id = ${id}`,
      );
      await publishAct(this.outbox, scope, 'query.deleted', { stored_query_id: id, name });
      return { name, query_scope };
    });
  }

  private async recordAct(
    action: 'query.stored' | 'query.deleted',
    { id, name, realm_id: realmId }: z.output<typeof queryRow>,
    facts: { application_id?: number | null } = {},
  ): Promise<void> {
    const subject = { stored_query_id: id, name, ...facts };
    await this.outbox.publish(
      enrolmentAudited,
      describeAct({ action, actor: operatorActor, realmId, subject }),
    );
  }
}
