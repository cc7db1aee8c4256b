import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Stored queries, and their results while they are read. Results are unlogged: after a crash of the
 * server, a client runs its query again.
 */
export class StoredQueries1760000000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stored_queries (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        query_scope text NOT NULL CHECK (query_scope IN ('bright', 'realm', 'provider')),
        realm_id integer, -- null for the built-in ones
        provider_application_id integer,
        sql text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (name, query_scope, realm_id, provider_application_id),
        CHECK ((query_scope = 'bright') = (realm_id IS NULL)),
        CHECK ((query_scope = 'provider') = (provider_application_id IS NOT NULL))
      )`);
    await runner.query(`
      CREATE UNLOGGED TABLE query_results (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        reach jsonb NOT NULL, -- of the scope that ran the query
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    // No foreign key: rows are deleted before their result, in batches.
    await runner.query(`
      CREATE UNLOGGED TABLE query_result_rows (
        result_id uuid NOT NULL,
        position integer NOT NULL, -- from 1
        content json NOT NULL,
        PRIMARY KEY (result_id, position)
      )`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
