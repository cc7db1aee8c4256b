import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '@registrar/bus';
import {
  type AccessScope,
  apiKeyLimits,
  changeRealmCompatibility,
  changeRealmLimits,
  createApiKey,
  type Credentials,
  findRealmLimits,
  listProviderApplications,
  listRealms,
  type RealmLimits,
  rotateRealmSecret,
  switchRealm,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { eventually } from '@registrar/testing';
import * as z from 'zod';
import { requireCurrentSecret } from '../access/require-current-secret.ts';
import {
  apiKey,
  auditEntries,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
import { Realm } from './realm.entity.ts';

const unlimitedApiKey = { userEmail: null, applicationId: null, ...apiKeyLimits.parse({}) };

describe('the operator’s requests for realms', () => {
  let identity: IdentityFixture;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  const rotate = (
    { realmGuid }: TestRealm,
    parts: Partial<InputOf<typeof rotateRealmSecret>> = {},
  ) =>
    identity.bus.request(rotateRealmSecret, {
      realmGuid,
      overlapSeconds: 0,
      endKeys: false,
      ...parts,
    });
  const turn = ({ realmGuid }: TestRealm, enabled: boolean) =>
    identity.bus.request(switchRealm, { realmGuid, enabled });
  const rotateAtOtherReplica = ({ realmGuid }: TestRealm, parts: { endKeys: boolean }) =>
    identity.buses[1]!.request(rotateRealmSecret, { realmGuid, overlapSeconds: 0, ...parts });
  /** How many transactions wait for a lock of this one. */
  const waitingForThis = async () => {
    const { count } = await identity.database.one(
      z.object({ count: z.number() }),
      sql`SELECT count(DISTINCT pid) AS count FROM pg_locks
          WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    );
    return count;
  };
  const isAccepted = (credentials: Credentials) =>
    identity.resolve(credentials).then(
      () => true,
      () => false,
    );

  it('the operator’s requests for realms list all realms with the numbers of their applications and users', async () => {
    const realm = await identity.addRealm('Full');
    await identity.addRealm('Empty');
    await identity.addApplication(realm);
    await identity.ensureUser(realm, newEmail());
    await identity.ensureUser(realm, newEmail());
    const realms = [];
    for await (const { items: page } of identity.bus.pages(listRealms, {}, 1)) realms.push(...page);
    expect(realms).toEqual([
      {
        id: realm.realmId,
        guid: realm.realmGuid,
        name: 'Full',
        provider_applications: 1,
        users: 2,
        created_at: expect.stringMatching(/Z$/) as unknown,
        disabled_at: null,
        compatibility: null,
        user_licenses: false,
      },
      expect.objectContaining({ name: 'Empty', provider_applications: 0, users: 0 }),
    ]);
    const names = async (filters: Pick<InputOf<typeof listRealms>, 'realmGuid' | 'text'>) => {
      const { items } = await identity.bus.page(listRealms, filters, { cursor: null, limit: 10 });
      return items.map(({ name }) => name);
    };
    expect(await names({ realmGuid: realm.realmGuid })).toEqual(['Full']);
    expect(await names({ text: 'EMP' })).toEqual(['Empty']);
    expect(await names({ text: '%' })).toEqual([]);
  });

  it('the operator’s requests for realms rotate a secret key: the old key is invalid, and API keys stay valid', async () => {
    const realm = await identity.addRealm();
    const key = await identity.createKey(realmPair(realm));
    const rotated = await rotate(realm);
    expect(rotated).toMatchObject({ realmGuid: realm.realmGuid, previousUntil: null });
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

  it('the operator’s requests for realms change the limits of a realm, which every scope in the realm has from then on', async () => {
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

  it('the operator’s requests for realms change the clients that a realm serves beside the contract, which every scope in the realm has from then on', async () => {
    const realm = await identity.addRealm();
    const { realmGuid } = realm;
    const application = await identity.addApplication(realm);
    const key = await identity.createKey(realmPair(realm));
    const change = (changes: Partial<InputOf<typeof changeRealmCompatibility>>) =>
      identity.bus.request(changeRealmCompatibility, {
        realmGuid,
        clients: null,
        userLicenses: null,
        ...changes,
      });
    const expectScopes = async (compatibility: AccessScope['compatibility']) => {
      for (const credentials of [realmPair(realm), providerPair(application), apiKey(key)]) {
        expect((await identity.resolve(credentials)).compatibility).toEqual(compatibility);
      }
    };
    await expectScopes(null);
    await expect(change({ userLicenses: true })).rejects.toMatchObject({ code: 'invalid' });
    const before = await identity.accessChanges(realm);
    const bright = { clients: 'bright', userLicenses: false } as const;
    expect(await change({ clients: 'bright' })).toEqual({ compatibility: bright });
    await expectScopes(bright);
    const licensing = { ...bright, userLicenses: true };
    expect(await change({ userLicenses: true })).toEqual({ compatibility: licensing });
    expect(await change({ clients: 'bright' })).toEqual({ compatibility: licensing });
    await expectScopes(licensing);
    const realms = [];
    for await (const { items } of identity.bus.pages(listRealms, {})) realms.push(...items);
    const listed = realms.find(({ guid }) => guid === realmGuid);
    expect(listed).toMatchObject({ compatibility: 'bright', user_licenses: true });
    expect(await change({ clients: 'none' })).toEqual({ compatibility: null });
    await expectScopes(null);
    expect(await identity.accessChanges(realm)).toBe(before + 4);
    const unknown = { realmGuid: 'unknown', clients: null, userLicenses: null };
    await expect(identity.bus.request(changeRealmCompatibility, unknown)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('the operator’s requests for realms rotate with an overlap: the key before is accepted until it ends, and none before that', async () => {
    const first = await identity.addRealm();
    const overlapSeconds = 3_600;
    const second = await rotate(first, { overlapSeconds });
    const accepted = await identity.resolve(realmPair(first));
    expect(accepted).toMatchObject({
      mode: 'realm',
      secretGeneration: 0,
      expiresAt: second.previousUntil,
    });
    expect(Date.parse(second.previousUntil ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
    const secondPair = realmPair({ ...first, ...second });
    expect(await identity.resolve(secondPair)).toMatchObject({
      secretGeneration: 1,
      expiresAt: null,
    });
    const third = await rotate(first, { overlapSeconds });
    expect(await isAccepted(realmPair(first))).toBe(false);
    expect(await isAccepted(secondPair)).toBe(true);
    await identity.repository(Realm).update(first.realmId, { previousSecretUntil: new Date() });
    await expect(identity.resolve(secondPair)).rejects.toMatchObject({
      code: 'unauthenticated',
      message: `the previous secret key of realm ${first.realmId} has expired`,
      credentialsKnown: true,
    });
    const thirdPair = realmPair({ ...first, ...third });
    expect(await isAccepted(thirdPair)).toBe(true);
    await rotate(first, { overlapSeconds });
    await rotate(first);
    expect(await isAccepted(thirdPair)).toBe(false);
  });

  it('the operator’s requests for realms rotate and end the keys of the realm alone', async () => {
    const [realm, other] = [await identity.addRealm(), await identity.addRealm()];
    const key = await identity.createKey(realmPair(realm));
    const userKey = await identity.createKey(realmPair(realm), { userEmail: newEmail() });
    const otherKey = await identity.createKey(realmPair(other));
    const rotated = await rotate(realm, { endKeys: true });
    expect(rotated.revokedKeys).toBe(2);
    expect(await isAccepted(apiKey(key))).toBe(false);
    expect(await isAccepted(apiKey(userKey))).toBe(false);
    expect(await isAccepted(apiKey(otherKey))).toBe(true);
    const later = await identity.createKey(realmPair({ ...realm, ...rotated }));
    expect(await isAccepted(apiKey(later))).toBe(true);
    const entries = await auditEntries(identity, realm.realmId, 'realm.secret-rotated');
    expect(entries).toMatchObject([{ subject: { keys_ended: true, revoked_keys: 2 } }]);
  });

  it('the operator’s requests for realms rotate a secret key: creates of API keys with the key before are rejected, also those under way', async () => {
    const realm = await identity.addRealm();
    const application = await identity.addApplication(realm);
    const newKey = (scope: AccessScope) =>
      identity.bus.request(createApiKey, { ...unlimitedApiKey, scope });
    const scope = await identity.resolve(realmPair(realm));
    const underWay = await identity.database.transaction(async () => {
      // As a create that has checked the secret key, and has not inserted yet.
      await requireCurrentSecret(identity.database, scope);
      const rotating = rotateAtOtherReplica(realm, { endKeys: true });
      await eventually('the rotation waits for the create', waitingForThis);
      return { key: await newKey(scope), rotating };
    });
    expect(await underWay.rotating).toMatchObject({ revokedKeys: 1 });
    expect(await isAccepted(apiKey(underWay.key))).toBe(false);
    await expect(newKey(scope)).rejects.toMatchObject({ code: 'unauthenticated' });
    await newKey(await identity.resolve(providerPair(application)));
  });

  it('the operator’s requests for realms rotate with an overlap: the key before creates API keys until it ends', async () => {
    const realm = await identity.addRealm();
    const scope = await identity.resolve(realmPair(realm));
    const create = () => identity.bus.request(createApiKey, { ...unlimitedApiKey, scope });
    await rotate(realm, { overlapSeconds: 3_600 });
    await create();
    await identity.createKey(realmPair(realm));
    await identity.repository(Realm).update(realm.realmId, { previousSecretUntil: new Date() });
    await expect(create()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('the operator’s requests for realms reject creates of API keys with a replaced secret key of an application', async () => {
    const realm = await identity.addRealm();
    const application = await identity.addApplication(realm);
    const scope = await identity.resolve(providerPair(application));
    const create = () => identity.bus.request(createApiKey, { ...unlimitedApiKey, scope });
    const { appId } = application;
    const replace = (overlapSeconds: number) =>
      identity.addApplication(realm, { appId, overlapSeconds });
    await identity.addApplication(realm, { appId, secretKey: application.secretKey, name: 'New' });
    await create();
    await replace(3_600);
    await create();
    const current = await replace(0);
    await expect(create()).rejects.toMatchObject({ code: 'unauthenticated' });
    await identity.createKey(providerPair(current));
  });

  it('disable a realm for all of its access, with the reason in the log, and enable it', async () => {
    const realm = await identity.addRealm();
    const application = await identity.addApplication(realm);
    const key = await identity.createKey(realmPair(realm));
    const userKey = await identity.createKey(providerPair(application), { userEmail: newEmail() });
    const all = [realmPair(realm), providerPair(application), apiKey(key), apiKey(userKey)];
    const pausedApplications = async () => {
      const { applications } = await identity.bus.request(listProviderApplications, {});
      return applications.filter(({ isPaused }) => isPaused).map(({ id }) => id);
    };
    const before = await identity.accessChanges(realm);
    const cachedScopes = [
      await identity.resolve(realmPair(realm)),
      await identity.resolve(providerPair(application)),
    ];
    const { disabledAt } = await turn(realm, false);
    expect(await turn(realm, false)).toEqual({ realmGuid: realm.realmGuid, disabledAt });
    for (const credentials of all) {
      await expect(identity.resolve(credentials)).rejects.toMatchObject({
        code: 'unauthenticated',
        message: `realm ${realm.realmId} is disabled`,
        credentialsKnown: true,
      });
    }
    const wrong = { ...realmPair(realm), secretKey: 'wrong' } as Credentials;
    await expect(identity.resolve(wrong)).rejects.toThrow('wrong secret key');
    for (const scope of cachedScopes) {
      await expect(
        identity.bus.request(createApiKey, { ...unlimitedApiKey, scope }),
      ).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    expect(await isAccepted(realmPair(await identity.addRealm()))).toBe(true);
    expect(await pausedApplications()).toEqual([application.applicationId]);
    const later = await identity.addApplication(realm);
    expect(await turn(realm, true)).toEqual({ realmGuid: realm.realmGuid, disabledAt: null });
    for (const credentials of all) expect(await isAccepted(credentials)).toBe(true);
    expect(await pausedApplications()).toEqual([]);
    expect(await identity.accessChanges(realm)).toBe(before + 3);
    for (const action of ['realm.disabled', 'realm.enabled'] as const) {
      expect(await auditEntries(identity, realm.realmId, action)).toHaveLength(1);
    }
    const published = await identity.database.many(
      z.object({ payload: z.unknown() }),
      sql`SELECT payload FROM outbox WHERE name = 'identity.realm-switched'
            AND payload ->> 'realmId' = ${String(realm.realmId)} ORDER BY id`,
    );
    expect(published.map(({ payload }) => payload)).toMatchObject([
      { enabled: false, version: 1, at: disabledAt, appIds: [application.appId] },
      { ...{ enabled: false, version: 1, at: disabledAt }, appIds: [later.appId] },
      { enabled: true, version: 2, appIds: [application.appId, later.appId] },
    ]);
  });

  it('the operator’s requests for realms reject an unknown realm as not found', async () => {
    const unknown = { realmGuid: 'unknown', realmId: 0, realmSecretKey: '' };
    for (const request of [() => rotate(unknown), () => turn(unknown, false)]) {
      await expect(request()).rejects.toMatchObject({ code: 'not-found' });
    }
  });
});
