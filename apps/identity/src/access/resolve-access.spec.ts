import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Credentials } from '#libs/contracts';
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

  const whole = () => ({
    realmId: realm.realmId,
    applicationIds: [first.applicationId, second.applicationId],
    wholeRealm: true,
  });
  const firstOnly = () => ({
    realmId: realm.realmId,
    applicationIds: [first.applicationId],
    wholeRealm: false,
  });
  const endless = { user: null, expiresAt: null };

  it('gives a realm pair its realm and no other', async () => {
    const scope = await identity.resolve(realmPair(realm));
    expect(scope).toEqual({ mode: 'realm', ...whole(), ...endless });
  });

  it('gives a provider pair its application', async () => {
    const scope = await identity.resolve(providerPair(first));
    expect(scope).toEqual({ mode: 'provider', ...firstOnly(), ...endless });
  });

  it('gives an api key what it was made for', async () => {
    const ofRealm = await identity.createKey(realmPair(realm));
    const ofPair = await identity.createKey(providerPair(first));
    expect(await identity.resolve(apiKey(ofRealm))).toEqual({
      mode: 'api_key',
      ...whole(),
      user: null,
      expiresAt: ofRealm.expires_at,
    });
    expect(await identity.resolve(apiKey(ofPair))).toEqual({
      mode: 'api_key',
      ...firstOnly(),
      user: null,
      expiresAt: ofPair.expires_at,
    });
  });

  it('cuts a key that is bound to a user down to that user', async () => {
    const userEmail = newEmail();
    const key = await identity.createKey(realmPair(realm), { userEmail });
    expect(await identity.resolve(apiKey(key))).toEqual({
      mode: 'api_key',
      ...whole(),
      user: { id: key.user_id, email: userEmail },
      expiresAt: key.expires_at,
    });
  });

  it('gives a key of the realm what the realm gets later', async () => {
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
      'a name that no realm can have',
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
      'a name that no application can have',
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
    ['an unknown api key', () => ({ mode: 'api_key', token: 'rgk_hunter2' }), /^unknown api key$/],
    [
      'a realm secret in place of an api key',
      () => ({ mode: 'api_key', token: realm.realmSecretKey }),
      /^unknown api key$/,
    ],
  ])(
    'does not know %s, and repeats nothing of what was presented',
    async (_, presented, message) => {
      await expect(identity.resolve(presented())).rejects.toMatchObject({
        code: 'unauthenticated',
        message: expect.stringMatching(message) as unknown,
      });
    },
  );

  it('lets an api key in until it expires, and says when it did', async () => {
    const key = await identity.createKey(realmPair(realm));
    await identity.database.query(
      `UPDATE api_keys SET expires_at = '2020-01-02T03:04:05Z' WHERE id = $1 AND realm_id = $2`,
      [key.id, realm.realmId],
    );
    await expect(identity.resolve(apiKey(key))).rejects.toMatchObject({
      code: 'unauthenticated',
      message: `api key ${key.id} expired at 2020-01-02T03:04:05.000Z`,
    });
  });
});
