import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type IdentityFixture, startIdentityFixture } from './identity.fixture.ts';
import { identitySchema } from './schema.ts';

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
