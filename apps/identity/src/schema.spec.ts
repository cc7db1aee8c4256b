import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { describeEntities, describeMigrations } from '@registrar/persistence/testing';
import * as z from 'zod';
import { type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';
import { identitySchema } from './schema.ts';

describe('the schema identity', () => {
  let identity: IdentityFixture;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  it('the schema identity is migrated once by two replicas that start at the same time', async () => {
    const applied = await identity.database.many(
      z.object({ name: z.string() }),
      sql`SELECT name FROM migrations ORDER BY id`,
    );
    const expected = identitySchema.migrations.map((migration) => migration.name);
    expect(applied.map(({ name }) => name)).toEqual(expected);
  });

  it('the schema identity has unique indexes of API key tokens, e-mail addresses and the ids of users in a realm', async () => {
    const indexes = await identity.database.many(
      z.object({ definition: z.string() }),
      sql`SELECT indexdef AS definition FROM pg_indexes
          WHERE schemaname = 'identity' AND indexdef LIKE 'CREATE UNIQUE INDEX%'`,
    );
    const definitions = indexes.map(({ definition }) => definition);
    expect(definitions).toContainEqual(
      expect.stringContaining('api_keys USING btree (token_hash)'),
    );
    expect(definitions).toContainEqual(expect.stringContaining('users USING btree (lower(email))'));
    expect(definitions).toContainEqual(
      expect.stringContaining('realm_users USING btree (realm_id, public_user_id)'),
    );
  });
});

describeEntities(identitySchema);

describeMigrations(identitySchema, {
  Identity1: (run) => `
    INSERT INTO realms (guid, name, secret_hash) VALUES ('realm-${run}', 'Swimmers', 'hash');
    INSERT INTO provider_applications (
      realm_id, name, base_url, app_id, sealed_secret_key, secret_fingerprint,
      sealed_postback_secret, postback_secret_hash
    ) SELECT id, 'Pool', 'http://pool.example', 'app-${run}', 'sealed', 'print', 'sealed', 'hash'
      FROM realms
      WHERE guid = 'realm-${run}';
    INSERT INTO users (email) VALUES ('ada-${run}@example.com');
    INSERT INTO realm_users (realm_id, user_id, email)
      SELECT r.id, u.id, u.email FROM realms AS r, users AS u
      WHERE r.guid = 'realm-${run}' AND u.email = 'ada-${run}@example.com';
    INSERT INTO api_keys (token_hash, realm_id, user_id, expires_at)
      SELECT 'token-${run}', realm_id, user_id, now() FROM realm_users
      ORDER BY id DESC LIMIT 1;
    INSERT INTO audit_log (kept_until, realm_id, actor, request_id, action)
    SELECT now() + interval '400 days', id, 'operator', 'request-${run}', 'realm.created'
    FROM realms WHERE guid = 'realm-${run}';
    INSERT INTO audit_budgets (realm_id, account, hour, entries)
    SELECT id, 'realm', date_trunc('hour', now()), 1 FROM realms WHERE guid = 'realm-${run}'`,
});
