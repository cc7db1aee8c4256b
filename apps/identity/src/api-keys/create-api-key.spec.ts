import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKeyRecord } from '@registrar/contracts';
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
import { realmRoles } from '../users/realm-roles.ts';

const hours = 3_600_000;

const lifetime = ({ created_at, expires_at }: ApiKeyRecord) =>
  Date.parse(expires_at ?? '') - Date.parse(created_at);

describe('creating an API key', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;
  let application: TestApplication;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
    application = await identity.addApplication(realm);
  });
  afterAll(() => identity.stop());

  const roleOf = async (publicUserId: number) => {
    const members = await identity.memberships(publicUserId);
    return members.find(({ realmId }) => realmId === realm.realmId)?.realmRoleId;
  };

  it('returns the record of a key of the whole realm with a lifetime of 30 days', async () => {
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

  it('restricts the key to the application of a provider pair', async () => {
    const key = await identity.createKey(providerPair(application));
    expect(key).toMatchObject({
      course_provider_id: application.applicationId,
      realm_id: realm.realmId,
    });
  });

  it('restricts the key to the application that a realm pair requests', async () => {
    const { applicationId } = application;
    const key = await identity.createKey(realmPair(realm), { applicationId });
    expect(key.course_provider_id).toBe(applicationId);
    expect(await identity.resolve(apiKey(key))).toMatchObject({
      applicationIds: [applicationId],
      wholeRealm: false,
    });
  });

  it('rejects an application of another realm as not found', async () => {
    const other = await identity.addApplication(await identity.addRealm('Other'));
    const { applicationId } = other;
    await expect(identity.createKey(realmPair(realm), { applicationId })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('creates a subscriber of the realm for an unknown address, with a lifetime of 24 hours', async () => {
    const userEmail = newEmail();
    const key = await identity.createKey(providerPair(application), { userEmail });
    expect(key.access_token).toMatch(/^rgu_[\w-]{43}$/);
    expect(lifetime(key)).toBe(24 * hours);
    expect(await identity.countUsers(userEmail)).toBe(1);
    expect(await roleOf(key.user_id ?? 0)).toBe(realmRoles.subscriber);
  });

  it('binds the key to an existing user, ignoring case, without changing the role', async () => {
    const address = newEmail();
    const { userId } = await identity.ensureUser(realm, address);
    const userEmail = email(address.toUpperCase());
    const key = await identity.createKey(realmPair(realm), { userEmail });
    expect(key.user_id).toBe(userId);
    expect((await identity.resolve(apiKey(key))).user).toEqual({ id: userId, email: address });
    expect(await roleOf(userId)).toBe(realmRoles.learner);
  });

  it('limits the permissions, and shortens the lifetime at most', async () => {
    const limited = await identity.createKey(realmPair(realm), {
      permissions: ['read', 'launch'],
      lifetimeHours: 8,
    });
    expect(lifetime(limited)).toBe(8 * hours);
    expect((await identity.resolve(apiKey(limited))).permissions).toEqual(['read', 'launch']);
    const userEmail = newEmail();
    const capped = await identity.createKey(realmPair(realm), { userEmail, lifetimeHours: 25 });
    expect(lifetime(capped)).toBe(24 * hours);
  });

  it('rejects a caller with an API key', async () => {
    const key = await identity.createKey(realmPair(realm));
    await expect(identity.createKey(apiKey(key))).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'API keys are created with a realm or provider pair',
    });
  });
});
