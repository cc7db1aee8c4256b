import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the tables of identity. Secrets are hashed if they are only compared, and sealed if they are
 * sent on.
 */
export class Identity1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(realms);
    await runner.query(users);
    await runner.query(apiKeys);
    await runner.query(auditLog);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const realms = `
  CREATE TABLE realms (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    guid text NOT NULL UNIQUE,
    name text NOT NULL,
    limits jsonb, -- null: the defaults
    compatibility jsonb, -- null: the contract alone
    disabled_at timestamptz,
    version bigint NOT NULL DEFAULT 0, -- rises whenever the realm is disabled or enabled

    secret_hash bytea NOT NULL, -- SHA-256
    secret_generation bigint NOT NULL DEFAULT 0, -- the number of secret keys before this one
    previous_secret_hash bytea, -- accepted until previous_secret_until
    previous_secret_until timestamptz,

    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE provider_applications (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    realm_id bigint NOT NULL REFERENCES realms,
    name text NOT NULL,
    base_url text NOT NULL,
    app_id text NOT NULL UNIQUE, -- its id at the course provider

    sealed_secret_key text NOT NULL, -- what services send on to the provider
    secret_fingerprint bytea NOT NULL, -- what a presented secret is compared with
    secret_generation bigint NOT NULL DEFAULT 0, -- the number of secret keys before this one
    previous_fingerprint bytea, -- accepted from clients until previous_valid_until
    previous_valid_until timestamptz,

    -- with which the course provider authenticates its postbacks
    sealed_postback_secret text NOT NULL,
    postback_secret_hash bytea NOT NULL, -- SHA-256

    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (realm_id, id)
  );`;

const users = `
  CREATE TABLE users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL, -- as it was given first
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX users_by_email ON users (lower(email));

  -- Each realm has its own spelling and id of a user, so that neither shows whether another realm
  -- has the address.
  CREATE SEQUENCE public_user_ids;
  CREATE TABLE realm_users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    realm_id bigint NOT NULL REFERENCES realms,
    user_id bigint NOT NULL REFERENCES users,
    public_user_id bigint NOT NULL DEFAULT nextval('public_user_ids'),
    email text NOT NULL, -- as the realm gave it first
    realm_role_id integer NOT NULL DEFAULT 1, -- users/realm-roles.ts
    custom text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (realm_id, user_id),
    UNIQUE (realm_id, public_user_id)
  );
  CREATE INDEX realm_users_by_realm ON realm_users (realm_id, id);
  CREATE INDEX realm_users_by_email ON realm_users (realm_id, lower(email));`;

const apiKeys = `
  -- The references limit a key to its realm.
  CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE, -- SHA-256
    realm_id bigint NOT NULL REFERENCES realms,
    provider_application_id bigint, -- null: the whole realm
    user_id bigint, -- null: not bound to a user
    permissions text[] NOT NULL DEFAULT '{read,write,launch}',
    lifetime_hours integer, -- null: that of the settings
    expires_at timestamptz NOT NULL,
    ends_at timestamptz, -- the key is not renewed beyond
    last_used_at timestamptz, -- precise to a few minutes; null: never used
    renewal_audited_at timestamptz, -- the audit log recorded a renewal last
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (realm_id, provider_application_id)
      REFERENCES provider_applications (realm_id, id),
    FOREIGN KEY (realm_id, user_id) REFERENCES realm_users (realm_id, user_id)
  );
  CREATE INDEX api_keys_by_expiry ON api_keys (expires_at);
  CREATE INDEX api_keys_by_realm ON api_keys (realm_id, id);`;

const auditLog = `
  -- Without foreign keys: an entry outlives what it is about.
  CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    kept_until timestamptz NOT NULL,
    realm_id bigint,
    actor text NOT NULL,
    actor_id bigint,
    actor_name text, -- of the console's user
    client_address inet,
    request_id text NOT NULL,
    action text NOT NULL,
    subject jsonb NOT NULL DEFAULT '{}'
  );
  CREATE INDEX audit_log_by_time ON audit_log (occurred_at, id);
  CREATE INDEX audit_log_by_realm ON audit_log (realm_id, occurred_at, id);
  CREATE INDEX audit_log_by_action ON audit_log (action, occurred_at, id);
  CREATE INDEX audit_log_by_actor ON audit_log (actor, occurred_at, id);
  CREATE INDEX audit_log_by_name ON audit_log (actor_name, occurred_at, id)
    WHERE actor_name IS NOT NULL;
  CREATE INDEX audit_log_by_key ON audit_log (actor_id) WHERE actor = 'api_key';
  CREATE INDEX audit_log_about_key ON audit_log ((subject -> 'api_key_id'))
    WHERE subject -> 'api_key_id' IS NOT NULL;
  CREATE INDEX audit_log_about_registration ON audit_log ((subject -> 'registration_guid'))
    WHERE subject -> 'registration_guid' IS NOT NULL;
  CREATE INDEX audit_log_about_invitation ON audit_log ((subject -> 'invitation_id'))
    WHERE subject -> 'invitation_id' IS NOT NULL;
  CREATE INDEX audit_log_by_end ON audit_log (kept_until);

  -- Refuses to change or remove entries before their time. The role of identity owns the table: it,
  -- like a superuser, could drop the triggers first.
  CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND OLD.kept_until <= now() THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'the audit log is append-only';
  END $$;
  CREATE TRIGGER keep_entries BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
  CREATE TRIGGER keep_table BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();

  -- How many entries a pair with its keys, and each key, has caused in an hour.
  CREATE TABLE audit_budgets (
    realm_id bigint NOT NULL,
    account text NOT NULL,
    hour timestamptz NOT NULL,
    entries integer NOT NULL,
    PRIMARY KEY (realm_id, account, hour)
  );`;
