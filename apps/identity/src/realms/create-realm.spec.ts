import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IdentityFixture, realmPair, startIdentityFixture } from '../identity.fixture.ts';

describe('creating a realm', () => {
  let identity: IdentityFixture;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  it('returns a realm pair that is valid for this realm alone', async () => {
    const realm = await identity.addRealm('Twins');
    const twin = await identity.addRealm('Twins');
    expect(realm.realmGuid).not.toBe(twin.realmGuid);
    expect(Buffer.from(realm.realmSecretKey, 'base64url').length * 8).toBeGreaterThanOrEqual(160);
    expect((await identity.resolve(realmPair(realm))).realmId).toBe(realm.realmId);
    const mixed = { ...realm, realmSecretKey: twin.realmSecretKey };
    await expect(identity.resolve(realmPair(mixed))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});
