import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKeyRecord, type Credentials, deleteApiKey } from '@registrar/contracts';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';

describe('deleting an API key', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const remove = async (credentials: Credentials, apiKeyId: number | null) => {
    const scope = await identity.resolve(credentials);
    return identity.bus.request(deleteApiKey, { scope, apiKeyId });
  };
  const isValid = (key: ApiKeyRecord) =>
    identity.resolve(apiKey(key)).then(
      () => true,
      () => false,
    );

  it('deleting an API key is possible for every key itself, which is invalid at once', async () => {
    const application = await identity.addApplication(realm);
    for (const [pair, parts] of [
      [realmPair(realm), {}],
      [realmPair(realm), { userEmail: newEmail() }],
      [providerPair(application), {}],
      [providerPair(application), { userEmail: newEmail() }],
    ] as const) {
      const key = await identity.createKey(pair, parts);
      const before = await identity.accessChanges(realm);
      const { access_token: _, ...record } = key;
      expect(await remove(apiKey(key), null)).toEqual(record);
      expect(await isValid(key)).toBe(false);
      expect(await identity.accessChanges(realm)).toBe(before + 1);
    }
  });

  it('deleting an API key is possible for every key of the realm with realm access, once', async () => {
    const realmKey = await identity.createKey(realmPair(realm));
    for (const access of [realmPair(realm), apiKey(realmKey)]) {
      const key = await identity.createKey(realmPair(realm), { userEmail: newEmail() });
      expect(await remove(access, key.id)).toMatchObject({ id: key.id, user_id: key.user_id });
      expect(await isValid(key)).toBe(false);
      await expect(remove(access, key.id)).rejects.toMatchObject({ code: 'not-found' });
    }
    expect(await isValid(realmKey)).toBe(true);
  });

  it('deleting an API key does not reach the keys of another realm', async () => {
    const other = await identity.addRealm('Other');
    const key = await identity.createKey(realmPair(other));
    await expect(remove(realmPair(realm), key.id)).rejects.toMatchObject({ code: 'not-found' });
    expect(await isValid(key)).toBe(true);
  });
});
