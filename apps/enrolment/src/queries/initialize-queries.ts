import { HandleRequest, type ReplyOf } from '@registrar/bus';
import { initializeQueries, storedQueryRecord } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller, type OnApplicationBootstrap } from '@nestjs/common';
import { builtInQueries } from './built-in-queries.ts';

/** Stored query initialize (contract/stored-queries#initialize). */
@Controller()
export class InitializeQueries implements OnApplicationBootstrap {
  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.initialize();
  }

  /** Makes the stored built-in queries those of this version. */
  @HandleRequest(initializeQueries)
  async initialize(): Promise<ReplyOf<typeof initializeQueries>> {
    const names = builtInQueries.map((query) => query.name);
    const texts = builtInQueries.map((query) => query.sql);
    const queries = await this.database.transaction(async () => {
      // Replicas that start together would deadlock on the rows.
      await this.database.execute(
        sql`SELECT pg_advisory_xact_lock(hashtext('enrolment built-in queries'))`,
      );
      await this.database.execute(
        sql`DELETE FROM stored_queries WHERE query_scope = 'bright' AND name <> ALL(${names})`,
      );
      return this.database.many(
        storedQueryRecord,
        sql`INSERT INTO stored_queries AS known (name, query_scope, sql)
            SELECT name, 'bright', sql
            FROM unnest(${names}::text[], ${texts}::text[]) AS q (name, sql)
            ON CONFLICT (name, query_scope, realm_id, provider_application_id) DO UPDATE
            SET sql = excluded.sql,
                updated_at = CASE WHEN known.sql = excluded.sql THEN known.updated_at ELSE now() END
            RETURNING name, query_scope`,
      );
    });
    return { queries };
  }
}
