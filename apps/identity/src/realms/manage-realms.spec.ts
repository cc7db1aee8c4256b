import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  changeRealmLimits,
  findRealmLimits,
  listRealms,
  type RealmLimits,
  rotateRealmSecret,
} from '@registrar/contracts';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
} from '../identity.fixture.ts';

describe('the operator’s requests for realms', () => {
  let identity: IdentityFixture;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  it('list all realms with the numbers of their applications and users', async () => {
    const realm = await identity.addRealm('Full');
    await identity.addRealm('Empty');
    await identity.addApplication(realm);
    await identity.ensureUser(realm, newEmail());
    await identity.ensureUser(realm, newEmail());
    const realms = [];
    for await (const page of identity.bus.pages(listRealms, {}, 1)) realms.push(...page);
    expect(realms).toEqual([
      {
        id: realm.realmId,
        guid: realm.realmGuid,
        name: 'Full',
        provider_applications: 1,
        users: 2,
        created_at: expect.stringMatching(/Z$/) as unknown,
      },
      expect.objectContaining({ name: 'Empty', provider_applications: 0, users: 0 }),
    ]);
  });

  it('rotate a secret key: the old key is invalid, and API keys stay valid', async () => {
    const realm = await identity.addRealm();
    const key = await identity.createKey(realmPair(realm));
    const { realmGuid } = realm;
    const rotated = await identity.bus.request(rotateRealmSecret, { realmGuid });
    expect(rotated.realmGuid).toBe(realmGuid);
    expect(rotated.realmSecretKey).not.toBe(realm.realmSecretKey);
    await expect(identity.resolve(realmPair(realm))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(await identity.resolve(realmPair({ ...realm, ...rotated }))).toMatchObject({
      realmId: realm.realmId,
    });
    expect(await identity.resolve(apiKey(key))).toMatchObject({ realmId: realm.realmId });
    expect(await identity.accessChanges(realm)).toBe(1);
  });

  it('change the limits of a realm, which every scope in the realm has from then on', async () => {
    const realm = await identity.addRealm();
    const { realmGuid } = realm;
    const application = await identity.addApplication(realm);
    const key = await identity.createKey(realmPair(realm));
    const change = (changes: RealmLimits, fromDefaults = false) =>
      identity.bus.request(changeRealmLimits, { realmGuid, changes, fromDefaults });
    expect((await identity.resolve(realmPair(realm))).limits).toBeNull();
    expect(await identity.bus.request(findRealmLimits, { realmGuid })).toEqual({ limits: {} });
    const before = await identity.accessChanges(realm);
    await change({ requestsPerSecond: 7, weight: 3 });
    const limits = { requestsPerSecond: 9, weight: 3 };
    expect(await change({ requestsPerSecond: 9 })).toEqual({ limits });
    expect(await identity.bus.request(findRealmLimits, { realmGuid })).toEqual({ limits });
    for (const credentials of [realmPair(realm), providerPair(application), apiKey(key)]) {
      expect((await identity.resolve(credentials)).limits).toEqual(limits);
    }
    expect(await change({ uploads: 2 }, true)).toEqual({ limits: { uploads: 2 } });
    expect(await identity.accessChanges(realm)).toBe(before + 3);
  });

  it('reject an unknown realm as not found', async () => {
    await expect(
      identity.bus.request(rotateRealmSecret, { realmGuid: 'unknown' }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});
