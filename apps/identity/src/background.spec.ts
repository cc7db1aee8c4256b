import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testLogger } from '#libs/testing';
import { PruneApiKeys } from './api-keys/prune-api-keys.ts';
import { Background } from './background.ts';
import { type IdentityFixture, realmPair, startIdentityFixture } from './identity.fixture.ts';

describe('the background', () => {
  let identity: IdentityFixture;

  beforeEach(async () => {
    identity = await startIdentityFixture();
  });
  afterEach(() => identity.stop());

  const runOnce = async (logger = testLogger().logger) => {
    const background = new Background(new PruneApiKeys(identity.database), logger);
    background.onAppStart();
    await background.beforeApplicationShutdown();
  };

  it('forgets api keys that expired long ago, in two replicas at once', async () => {
    const realm = await identity.addRealm();
    const keys = [];
    for (const age of ['-1 hour', '1 hour', '2 days', '30 days']) {
      const { id } = await identity.createKey(realmPair(realm));
      keys.push(id);
      await identity.database.query(
        'UPDATE api_keys SET expires_at = now() - $2::interval WHERE id = $1',
        [id, age],
      );
    }
    await Promise.all([runOnce(), runOnce()]);
    expect(await identity.database.query('SELECT id FROM api_keys ORDER BY id')).toEqual(
      keys.slice(0, 2).map((id) => ({ id })),
    );
  });

  it('says so when it cannot, and goes on', async () => {
    const log = testLogger();
    await identity.database.query('ALTER TABLE api_keys RENAME TO hidden');
    await runOnce(log.logger);
    expect(log.lines()).toMatchObject([{ work: 'forget expired api keys', level: 'warn' }]);
  });
});
