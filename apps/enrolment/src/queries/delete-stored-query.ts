import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { deleteStoredQuery, Failure, storedQueryRecord } from '@registrar/contracts';
import { Database, empty, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedStoredQueries, requireRealmAccess } from '../access-rules.ts';
import { publishAct } from '../publish-act.ts';

const foundRow = storedQueryRecord.extend({ id: z.number() });

/** Deletes a query of the realm or of a provider application (contract/stored-queries#delete). */
@Controller()
export class DeleteStoredQuery {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
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
        foundRow,
        sql`SELECT q.id, q.name, q.query_scope FROM stored_queries AS q
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
      const { id, ...record } = found;
      await this.database.execute(
        sql`DELETE FROM stored_queries AS q WHERE ${reachedStoredQueries(scope)} AND q.id = ${id}`,
      );
      await publishAct(this.outbox, scope, 'query.deleted', { stored_query_id: id, name });
      return record;
    });
  }
}
