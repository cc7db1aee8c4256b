import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKeyRecord } from '#libs/contracts';
import {
  apiKey,
  email,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

const hours = 3_600_000;

const lifetime = ({ created_at, expires_at }: ApiKeyRecord) =>
  Date.parse(expires_at ?? '') - Date.parse(created_at);

describe('api key create', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;
  let application: TestApplication;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
    application = await identity.addApplication(realm);
  });
  afterAll(() => identity.stop());

  it('answers the record of a key to the whole realm that lives 30 days', async () => {
    const key = await identity.createKey(realmPair(realm));
    expect(key).toEqual({
      id: expect.any(Number) as unknown,
      access_token: expect.stringMatching(/^rgk_[\w-]{43}$/) as unknown,
      token_type: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown,
      updated_at: key.created_at,
      expires_at: expect.any(String) as unknown,
      user_id: null,
      course_provider_id: null,
      realm_id: realm.realmId,
    });
    expect(lifetime(key)).toBe(30 * 24 * hours);
  });

  it('binds the key to the application of a provider pair', async () => {
    const key = await identity.createKey(providerPair(application));
    expect(key).toMatchObject({
      course_provider_id: application.applicationId,
      realm_id: realm.realmId,
    });
  });

  it('binds the key to the application that a realm pair names', async () => {
    const { applicationId } = application;
    const key = await identity.createKey(realmPair(realm), { applicationId });
    expect(key.course_provider_id).toBe(applicationId);
    expect(await identity.resolve(apiKey(key))).toMatchObject({
      applicationIds: [applicationId],
      wholeRealm: false,
    });
  });

  it('does not find an application of another realm', async () => {
    const other = await identity.addApplication(await identity.addRealm('Other'));
    const { applicationId } = other;
    await expect(identity.createKey(realmPair(realm), { applicationId })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('makes the user of a new e-mail address a subscriber of the realm, for 24 hours', async () => {
    const userEmail = newEmail();
    const key = await identity.createKey(providerPair(application), { userEmail });
    expect(lifetime(key)).toBe(24 * hours);
    expect(
      await identity.database.query(
        `SELECT u.id, u.email, ru.realm_id, ru.realm_role_id
         FROM users AS u JOIN realm_users AS ru ON ru.user_id = u.id
         WHERE ru.realm_id = $1 AND u.email = $2`,
        [realm.realmId, userEmail],
      ),
    ).toEqual([{ id: key.user_id, email: userEmail, realm_id: realm.realmId, realm_role_id: 2 }]);
  });

  it('takes the user that there is, in whatever case, with the role held', async () => {
    const address = newEmail();
    const { userId } = await identity.ensureUser(realm, address);
    const userEmail = email(address.toUpperCase());
    const key = await identity.createKey(realmPair(realm), { userEmail });
    expect(key.user_id).toBe(userId);
    expect((await identity.resolve(apiKey(key))).user).toEqual({ id: userId, email: address });
    expect(
      await identity.database.query(
        'SELECT realm_role_id FROM realm_users WHERE realm_id = $1 AND user_id = $2',
        [realm.realmId, userId],
      ),
    ).toEqual([{ realm_role_id: 1 }]);
  });

  it('is not for who comes with an api key', async () => {
    const key = await identity.createKey(realmPair(realm));
    await expect(identity.createKey(apiKey(key))).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'an api key is made from a realm or provider pair only',
    });
  });
});
