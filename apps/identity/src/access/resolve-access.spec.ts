import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

describe('access resolution', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;
  let first: TestApplication;
  let second: TestApplication;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
    first = await identity.addApplication(realm);
    second = await identity.addApplication(realm);
    await identity.addApplication(await identity.addRealm('Other'));
  });
  afterAll(() => identity.stop());

  const wholeRealm = () => ({
    realmId: realm.realmId,
    applicationIds: [first.applicationId, second.applicationId],
    wholeRealm: true,
  });
  const firstApplication = () => ({
    realmId: realm.realmId,
    applicationIds: [first.applicationId],
    wholeRealm: false,
  });
  const permissions = ['read', 'write', 'launch'];
  const unlimited = {
    user: null,
    apiKeyId: null,
    permissions,
    expiresAt: null,
    limits: null,
    compatibility: null,
    secretGeneration: 0,
  };

  it('resolves a realm pair to its realm alone', async () => {
    const scope = await identity.resolve(realmPair(realm));
    expect(scope).toEqual({ mode: 'realm', ...wholeRealm(), ...unlimited });
  });

  it('resolves a provider pair to its application', async () => {
    const scope = await identity.resolve(providerPair(first));
    expect(scope).toEqual({ mode: 'provider', ...firstApplication(), ...unlimited });
  });

  it('resolves an API key to the reach of the pair that created it', async () => {
    const realmKey = await identity.createKey(realmPair(realm));
    const applicationKey = await identity.createKey(providerPair(first));
    expect(await identity.resolve(apiKey(realmKey))).toEqual({
      mode: 'api_key',
      ...wholeRealm(),
      user: null,
      apiKeyId: realmKey.id,
      permissions,
      secretGeneration: null,
      expiresAt: realmKey.expires_at,
      limits: null,
      compatibility: null,
    });
    expect(await identity.resolve(apiKey(applicationKey))).toEqual({
      mode: 'api_key',
      ...firstApplication(),
      user: null,
      apiKeyId: applicationKey.id,
      permissions,
      secretGeneration: null,
      expiresAt: applicationKey.expires_at,
      limits: null,
      compatibility: null,
    });
  });

  it('resolves a user-bound API key to its user', async () => {
    const userEmail = newEmail();
    const key = await identity.createKey(realmPair(realm), { userEmail });
    expect(await identity.resolve(apiKey(key))).toEqual({
      mode: 'api_key',
      ...wholeRealm(),
      user: { id: key.user_id, email: userEmail },
      apiKeyId: key.id,
      permissions,
      secretGeneration: null,
      expiresAt: key.expires_at,
      limits: null,
      compatibility: null,
    });
  });

  it('includes applications that were added after an API key of the realm was created', async () => {
    const growing = await identity.addRealm('Growing');
    const key = await identity.createKey(realmPair(growing));
    expect((await identity.resolve(apiKey(key))).applicationIds).toEqual([]);
    const { applicationId } = await identity.addApplication(growing);
    expect((await identity.resolve(apiKey(key))).applicationIds).toEqual([applicationId]);
  });

  it.each<[string, () => Credentials, RegExp]>([
    [
      'an unknown realm',
      () => ({ ...realmPair(realm), guid: 'x' }) as Credentials,
      /^unknown realm$/,
    ],
    [
      'a realm GUID with a NUL character',
      () => ({ ...realmPair(realm), guid: '\0' }) as Credentials,
      /^unknown realm$/,
    ],
    [
      'a realm with a wrong secret',
      () => ({ ...realmPair(realm), secretKey: 'hunter2' }),
      /^wrong secret key for realm \d+$/,
    ],
    [
      'a realm with the secret of a provider pair',
      () => ({ ...realmPair(realm), secretKey: first.secretKey }),
      /^wrong secret key for realm/,
    ],
    [
      'a realm without a secret',
      () => ({ ...realmPair(realm), secretKey: '' }),
      /^wrong secret key/,
    ],
    [
      'an unknown application',
      () => ({ ...providerPair(first), appId: 'x' }) as Credentials,
      /^unknown provider application$/,
    ],
    [
      'an application id with a NUL character',
      () => ({ ...providerPair(first), appId: 'a\0' }) as Credentials,
      /^unknown provider application$/,
    ],
    [
      'an application with a wrong secret',
      () => ({ ...providerPair(first), secretKey: 'hunter2' }),
      /^wrong secret key for provider application \d+$/,
    ],
    [
      'an application with the secret of another',
      () => ({ ...providerPair(first), secretKey: second.secretKey }),
      /^wrong secret key/,
    ],
    ['an unknown API key', () => ({ mode: 'api_key', token: 'rgk_hunter2' }), /^unknown API key$/],
    [
      'the secret key of a realm as an API key',
      () => ({ mode: 'api_key', token: realm.realmSecretKey }),
      /^unknown API key$/,
    ],
  ])('rejects %s without repeating the credentials', async (_, presented, message) => {
    await expect(identity.resolve(presented())).rejects.toMatchObject({
      code: 'unauthenticated',
      credentialsKnown: false,
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('rejects an expired API key with the time of its expiry', async () => {
    const key = await identity.createKey(realmPair(realm));
    const expiresAt = new Date('2020-01-02T03:04:05Z');
    await identity.database.execute(
      sql`UPDATE api_keys SET expires_at = ${expiresAt} WHERE id = ${key.id}`,
    );
    await expect(identity.resolve(apiKey(key))).rejects.toMatchObject({
      code: 'unauthenticated',
      message: `API key ${key.id} expired at 2020-01-02T03:04:05.000Z`,
      credentialsKnown: true,
    });
  });
});
