import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Realms, who belongs to them, and what lets a caller in. No secret stands here in clear. */
export class Identity1760000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE realms (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        guid text NOT NULL UNIQUE,
        name text NOT NULL,
        secret_hash bytea NOT NULL, -- SHA-256
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE provider_applications (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        realm_id integer NOT NULL REFERENCES realms,
        name text NOT NULL,
        base_url text NOT NULL,
        app_id text NOT NULL UNIQUE, -- its id at the course provider
        sealed_secret_key text NOT NULL, -- what services send on to the provider
        secret_fingerprint bytea NOT NULL, -- what a presented secret is compared with
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (realm_id, id)
      )`);
    await runner.query(`
      CREATE TABLE users (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        email text NOT NULL, -- as it was given first
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE UNIQUE INDEX users_by_email ON users (lower(email))');
    await runner.query(`
      CREATE TABLE realm_users (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        realm_id integer NOT NULL REFERENCES realms,
        user_id integer NOT NULL REFERENCES users,
        realm_role_id integer NOT NULL DEFAULT 1, -- users/realm-role.ts
        custom text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (realm_id, user_id)
      )`);
    // The references make sure that a key reaches nothing outside of its realm.
    await runner.query(`
      CREATE TABLE api_keys (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        token_hash bytea NOT NULL UNIQUE, -- SHA-256
        realm_id integer NOT NULL REFERENCES realms,
        provider_application_id integer, -- none: the whole realm
        user_id integer, -- none: not bound to a user
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (realm_id, provider_application_id)
          REFERENCES provider_applications (realm_id, id),
        FOREIGN KEY (realm_id, user_id) REFERENCES realm_users (realm_id, user_id)
      )`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
