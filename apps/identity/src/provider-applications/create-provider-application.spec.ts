import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createProviderApplication,
  listProviderApplications,
  providerCredentials,
} from '#libs/contracts';
import { providerSecretPurpose } from '#libs/platform';
import { randomUUID } from 'node:crypto';
import {
  type IdentityFixture,
  providerPair,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

describe('provider applications', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  beforeEach(async () => {
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const credentialsOf = async ({ applicationId }: TestApplication) => {
    const answer = await identity.bus.request(providerCredentials, { applicationId });
    const { sealedSecretKey, ...credentials } = answer;
    const purpose = providerSecretPurpose(credentials.appId);
    return { ...credentials, secretKey: identity.sealing.open(sealedSecretKey, purpose) };
  };

  it('are added to a realm, with what it takes to call their provider', async () => {
    const baseUrl = 'https://provider.example.com/root';
    const application = await identity.addApplication(realm, { baseUrl });
    const { applicationId, appId, secretKey } = application;
    expect(application.realmId).toBe(realm.realmId);
    expect(await credentialsOf(application)).toEqual({
      applicationId,
      realmId: realm.realmId,
      baseUrl,
      appId,
      secretKey,
    });
    const { applications } = await identity.bus.request(listProviderApplications, {});
    expect(applications).toContainEqual({ id: applicationId, realmId: realm.realmId });
    expect(await identity.accessChanges(realm)).toBe(1);
  });

  it('stay as they are when the same is added again, and nobody is told', async () => {
    const application = await identity.addApplication(realm);
    const { appId, secretKey } = application;
    expect(await identity.addApplication(realm, { appId, secretKey })).toEqual(application);
    expect(await identity.accessChanges(realm)).toBe(1);
  });

  it.each([
    ['name', { name: 'Diving school' }],
    ['address', { baseUrl: 'https://other.example.com' }],
    ['secret key', { secretKey: 'another secret key' }],
  ])('take another %s, and everybody is told', async (_, change) => {
    const first = await identity.addApplication(realm);
    const { appId, secretKey } = first;
    const second = await identity.addApplication(realm, { appId, secretKey, ...change });
    expect(second.applicationId).toBe(first.applicationId);
    expect(await identity.accessChanges(realm)).toBe(2);
    const { name: _name, ...visible } = { name: '', ...change };
    expect(await credentialsOf(second)).toMatchObject(visible);
  });

  it('let only the new secret key in once it was changed', async () => {
    const before = await identity.addApplication(realm);
    const { appId } = before;
    const after = await identity.addApplication(realm, { appId, secretKey: 'new' });
    await expect(identity.resolve(providerPair(before))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect((await identity.resolve(providerPair(after))).mode).toBe('provider');
  });

  it('belong to one realm: another cannot take or change them', async () => {
    const application = await identity.addApplication(realm);
    const thief = await identity.addRealm('Other');
    await expect(
      identity.addApplication(thief, { appId: application.appId, secretKey: 'taken' }),
    ).rejects.toMatchObject({ code: 'invalid' });
    expect((await credentialsOf(application)).secretKey).toBe(application.secretKey);
    expect(await identity.accessChanges(thief)).toBe(0);
  });

  it('are one when they are added twice at the same moment, and told of once', async () => {
    const wanted = {
      realmGuid: realm.realmGuid,
      name: 'Swimming school',
      baseUrl: 'https://provider.example.com',
      appId: `app-${randomUUID()}`,
      secretKey: 'the same secret key',
    };
    const answers = await Promise.all(
      [...identity.buses, ...identity.buses].map((bus) =>
        bus.request(createProviderApplication, wanted),
      ),
    );
    expect(new Set(answers.map(({ applicationId }) => applicationId)).size).toBe(1);
    expect(await identity.accessChanges(realm)).toBe(1);
  });

  it('are not found in a realm that does not exist, nor by an id that nothing has', async () => {
    const unknown = { ...realm, realmGuid: 'unknown' };
    await expect(identity.addApplication(unknown)).rejects.toMatchObject({ code: 'not-found' });
    await expect(
      identity.bus.request(providerCredentials, { applicationId: 1_000_000 }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});
