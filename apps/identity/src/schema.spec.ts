import * as jest from '@jest/globals';
import { describeSchemaSteps } from '#libs/testing';
import { type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';
import { identitySchema } from './schema.ts';

const { afterAll, beforeAll, describe, expect, it } = jest;

describe('the schema of identity', () => {
  let identity: IdentityFixture;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  it('is made once by two replicas that start at the same moment', async () => {
    const applied = await identity.database.query<{ name: string }>(
      'SELECT name FROM migrations ORDER BY id',
    );
    const expected = identitySchema.migrations.map((migration) => migration.name);
    expect(applied.map(({ name }) => name)).toEqual(expected);
  });

  it('finds an api key and a user through an index', async () => {
    const indexes = await identity.database.query<{ definition: string }>(
      `SELECT indexdef AS definition FROM pg_indexes
       WHERE schemaname = 'identity' AND indexdef LIKE 'CREATE UNIQUE INDEX%'`,
    );
    const definitions = indexes.map(({ definition }) => definition);
    expect(definitions).toContainEqual(
      expect.stringContaining('api_keys USING btree (token_hash)'),
    );
    expect(definitions).toContainEqual(expect.stringContaining('users USING btree (lower(email))'));
  });
});

describeSchemaSteps(jest, identitySchema, {
  Identity1: (run) => `
    INSERT INTO realms (guid, name, secret_hash) VALUES ('realm-${run}', 'Swimmers', 'hash');
    INSERT INTO provider_applications (
      realm_id, name, base_url, app_id, sealed_secret_key, secret_fingerprint
    ) SELECT id, 'Pool', 'http://pool.example', 'app-${run}', 'sealed', 'print' FROM realms
      WHERE guid = 'realm-${run}';
    INSERT INTO users (email) VALUES ('ada-${run}@example.com');
    INSERT INTO realm_users (realm_id, user_id)
      SELECT r.id, u.id FROM realms AS r, users AS u
      WHERE r.guid = 'realm-${run}' AND u.email = 'ada-${run}@example.com';
    INSERT INTO api_keys (token_hash, realm_id, user_id, expires_at)
      SELECT 'token-${run}', realm_id, user_id, now() FROM realm_users
      ORDER BY id DESC LIMIT 1`,
});
