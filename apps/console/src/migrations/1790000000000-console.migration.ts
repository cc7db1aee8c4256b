import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of the console. */
export class Console1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const tables = `
  CREATE TABLE sessions (
    token_hash bytea PRIMARY KEY, -- SHA-256
    account text NOT NULL, -- the issuer and subject, or the kind of link
    name text NOT NULL,
    roles jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(), -- precise to a minute
    ends_at timestamptz NOT NULL
  );
  CREATE INDEX sessions_by_account ON sessions (account, created_at);
  CREATE INDEX sessions_by_end ON sessions (ends_at);

  CREATE TABLE sign_in_links (
    token_hash bytea PRIMARY KEY, -- SHA-256
    ends_at timestamptz NOT NULL
  );

  -- One row: the key that seals the cookies of sign-ins in progress, the same in all replicas.
  CREATE TABLE cookie_key (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    key bytea NOT NULL
  );

  -- The history of the Overview page: a row for each five minutes.
  CREATE TABLE samples (
    taken_at timestamptz PRIMARY KEY,
    sample jsonb NOT NULL
  );`;
