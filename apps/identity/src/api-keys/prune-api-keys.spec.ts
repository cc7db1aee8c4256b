import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type IdentityFixture, realmPair, startIdentityFixture } from '../identity.fixture.ts';
import { PruneApiKeys } from './prune-api-keys.ts';

describe('pruning API keys', () => {
  let identity: IdentityFixture;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  it('deletes keys that expired more than a day ago, in two replicas at once', async () => {
    const realm = await identity.addRealm();
    const keys = [];
    for (const age of ['-1 hour', '1 hour', '2 days', '30 days']) {
      const { id } = await identity.createKey(realmPair(realm));
      keys.push(id);
      await identity.database.execute(
        sql`UPDATE api_keys SET expires_at = now() - ${age}::interval WHERE id = ${id}`,
      );
    }
    const prune = () => new PruneApiKeys(identity.database).prune();
    await Promise.all([prune(), prune()]);
    const remaining = await identity.database.many(
      z.object({ id: z.number() }),
      sql`SELECT id FROM api_keys ORDER BY id`,
    );
    expect(remaining.map(({ id }) => id)).toEqual(keys.slice(0, 2));
  });
});
