import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createProviderApplication,
  listProviderApplications,
  findProviderCredentials,
} from '@registrar/contracts';
import { providerSecretPurpose } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import {
  auditEntries,
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
    const reply = await identity.bus.request(findProviderCredentials, { applicationId });
    const { sealedSecretKey, sealedPostbackSecret: _, ...credentials } = reply;
    const purpose = providerSecretPurpose(credentials.appId);
    return { ...credentials, secretKey: identity.sealing.open(sealedSecretKey, purpose) };
  };

  it('provider applications are added to a realm with the credentials of their course provider', async () => {
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
    expect(applications).toContainEqual({
      id: applicationId,
      realmId: realm.realmId,
      isPaused: false,
    });
    expect(await identity.accessChanges(realm)).toBe(1);
  });

  it('provider applications are unchanged by an identical create, which publishes no event', async () => {
    const application = await identity.addApplication(realm);
    const { appId, secretKey } = application;
    expect(await identity.addApplication(realm, { appId, secretKey })).toEqual(application);
    expect(await identity.accessChanges(realm)).toBe(1);
  });

  it.each([
    ['name', { name: 'Diving school' }],
    ['base URL', { baseUrl: 'https://other.example.com' }],
    ['secret key', { secretKey: 'another secret key' }],
  ])(
    'provider applications are updated by a create with another %s, which publishes an event',
    async (_, change) => {
      const first = await identity.addApplication(realm);
      const { appId, secretKey } = first;
      const second = await identity.addApplication(realm, { appId, secretKey, ...change });
      expect(second.applicationId).toBe(first.applicationId);
      expect(await auditEntries(identity, realm.realmId, 'application.changed')).toMatchObject([
        {
          subject: { application_id: first.applicationId, secret_changed: 'secretKey' in change },
        },
      ]);
      expect(await identity.accessChanges(realm)).toBe(2);
      const { name: _name, ...visible } = { name: '', ...change };
      expect(await credentialsOf(second)).toMatchObject(visible);
    },
  );

  it('provider applications accept only the new secret key after an update', async () => {
    const before = await identity.addApplication(realm);
    const { appId } = before;
    const after = await identity.addApplication(realm, { appId, secretKey: 'new' });
    await expect(identity.resolve(providerPair(before))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect((await identity.resolve(providerPair(after))).mode).toBe('provider');
  });

  it('provider applications accept the replaced secret key until the overlap ends, and a rotation without overlap ends it', async () => {
    const first = await identity.addApplication(realm);
    const { appId } = first;
    const change = (secretKey: string, overlapSeconds?: number) =>
      identity.addApplication(realm, {
        appId,
        secretKey,
        ...(overlapSeconds && { overlapSeconds }),
      });
    const second = await change('second', 7_200);
    // An identical create keeps the overlap.
    await change('second');
    expect(await identity.resolve(providerPair(second))).toMatchObject({
      secretGeneration: 1,
      expiresAt: null,
    });
    const { expiresAt, secretGeneration } = await identity.resolve(providerPair(first));
    expect(secretGeneration).toBe(0);
    const hours = (Date.parse(expiresAt ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2);
    const third = await change('third');
    await expect(identity.resolve(providerPair(first))).rejects.toThrow('wrong secret key');
    await expect(identity.resolve(providerPair(second))).rejects.toMatchObject({
      code: 'unauthenticated',
      message: `the previous secret key of provider application ${first.applicationId} has expired`,
      credentialsKnown: true,
    });
    expect((await identity.resolve(providerPair(third))).mode).toBe('provider');
  });

  it('provider applications cannot be created or changed by another realm', async () => {
    const application = await identity.addApplication(realm);
    const otherRealm = await identity.addRealm('Other');
    await expect(
      identity.addApplication(otherRealm, { appId: application.appId, secretKey: 'changed' }),
    ).rejects.toMatchObject({ code: 'invalid' });
    expect((await credentialsOf(application)).secretKey).toBe(application.secretKey);
    expect(await identity.accessChanges(otherRealm)).toBe(0);
  });

  it('provider applications are inserted once by concurrent identical creates, which publish one event', async () => {
    const input = {
      realmGuid: realm.realmGuid,
      name: 'Swimming school',
      baseUrl: 'https://provider.example.com',
      appId: `app-${randomUUID()}`,
      secretKey: 'the same secret key',
    };
    const replies = await Promise.all(
      [...identity.buses, ...identity.buses].map((bus) =>
        bus.request(createProviderApplication, input),
      ),
    );
    expect(new Set(replies.map(({ applicationId }) => applicationId)).size).toBe(1);
    expect(await identity.accessChanges(realm)).toBe(1);
  });

  it('provider applications are not found in an unknown realm or by an unknown id', async () => {
    const unknown = { ...realm, realmGuid: 'unknown' };
    await expect(identity.addApplication(unknown)).rejects.toMatchObject({ code: 'not-found' });
    await expect(
      identity.bus.request(findProviderCredentials, { applicationId: 1_000_000 }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});
