import { type storedQueryRecord } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type * as z from 'zod';
import { builtInQueries } from './built-in-queries.ts';

/** Stored query: initialize (api-v2.md). Every start does the same, so clients need not. */
@Injectable()
export class InitializeQueries implements OnApplicationBootstrap {
  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.run();
  }

  /** Brings the stored built-in queries to this version of them. */
  async run(): Promise<{ queries: z.output<typeof storedQueryRecord>[] }> {
    const queries = await this.database.transaction(async () => {
      // Replicas that start together take turns.
      await this.database.query(
        `SELECT pg_advisory_xact_lock(hashtext('enrolment built-in queries'))`,
      );
      await this.database.query(
        `DELETE FROM stored_queries WHERE query_scope = 'bright' AND name <> ALL ($1)`,
        [builtInQueries.map(({ name }) => name)],
      );
      return this.database.query<z.output<typeof storedQueryRecord>>(
        `INSERT INTO stored_queries AS known (name, query_scope, sql)
         SELECT name, 'bright', sql FROM unnest($1::text[], $2::text[]) AS q (name, sql)
         ON CONFLICT (name, query_scope, realm_id, provider_application_id)
           DO UPDATE SET sql = excluded.sql,
             updated_at = CASE WHEN known.sql = excluded.sql THEN known.updated_at ELSE now() END
         RETURNING name, query_scope`,
        [builtInQueries.map(({ name }) => name), builtInQueries.map(({ sql }) => sql)],
      );
    });
    return { queries };
  }
}
