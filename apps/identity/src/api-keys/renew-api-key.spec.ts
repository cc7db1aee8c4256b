import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessScope, type ApiKeyRecord, renewApiKey } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import {
  apiKey,
  auditEntries,
  type IdentityFixture,
  newEmail,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';

const hours = 3_600_000;

describe('renewing an API key', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  /** Lets a key expire in so many hours. */
  const expireIn = (key: ApiKeyRecord, inHours: number) =>
    identity.database.execute(
      sql`UPDATE api_keys SET expires_at = now() + ${inHours} * interval '1 hour'
          WHERE id = ${key.id}`,
    );
  const renew = async (key: ApiKeyRecord) => {
    const scope = await identity.resolve(apiKey(key));
    return identity.bus.request(renewApiKey, { scope });
  };

  it.each([
    ['24 hours of a user-bound key', newEmail(), 24],
    ['30 days of any other key', undefined, 30 * 24],
  ])(
    'starts the lifetime of %s again, and publishes the change',
    async (_, userEmail, lifetime) => {
      const key = await identity.createKey(realmPair(realm), userEmail ? { userEmail } : {});
      await expireIn(key, 1);
      const before = await identity.accessChanges(realm);
      const renewed = await renew(key);
      expect(Date.parse(renewed.expires_at ?? '') - Date.parse(renewed.updated_at)).toBe(
        lifetime * hours,
      );
      const { access_token: _token, expires_at: _expiry, updated_at: _time, ...unchanged } = key;
      expect(renewed).toMatchObject(unchanged);
      expect(renewed).not.toHaveProperty('access_token');
      expect(await identity.accessChanges(realm)).toBe(before + 1);
      expect(await identity.resolve(apiKey(key))).toMatchObject({ expiresAt: renewed.expires_at });
    },
  );

  it('starts the shorter lifetime of a key again', async () => {
    const key = await identity.createKey(realmPair(realm), { lifetimeHours: 3 });
    await expireIn(key, 1);
    const renewed = await renew(key);
    expect(Date.parse(renewed.expires_at ?? '') - Date.parse(renewed.updated_at)).toBe(3 * hours);
  });

  it('renewing an API key is recorded in the audit log once an hour for each key', async () => {
    const other = await identity.addRealm('Other');
    const keys = [
      await identity.createKey(realmPair(other)),
      await identity.createKey(realmPair(other)),
    ];
    const renewed = async () =>
      (await auditEntries(identity, other.realmId, 'api-key.renewed')).map(
        ({ actor_id }) => actor_id,
      );
    const ids = keys.map(({ id }) => id);
    for (const key of [...keys, ...keys]) await renew(key);
    expect(await renewed()).toEqual(ids);
    await identity.database.execute(
      sql`UPDATE api_keys SET renewal_audited_at = renewal_audited_at - interval '1 hour'
          WHERE realm_id = ${other.realmId}`,
    );
    for (const key of [...keys, ...keys]) await renew(key);
    expect(await renewed()).toEqual([...ids, ...ids]);
  });

  it('renews a key that realm access names, user-bound ones included, and records each renewal', async () => {
    const other = await identity.addRealm('Third');
    const scope = await identity.resolve(realmPair(other));
    const bound = await identity.createKey(realmPair(other), { userEmail: newEmail() });
    const unbound = await identity.createKey(realmPair(other));
    for (const [key, lifetime] of [
      [bound, 24],
      [unbound, 30 * 24],
    ] as const) {
      await expireIn(key, 1);
      const renewed = await identity.bus.request(renewApiKey, { scope, apiKeyId: key.id });
      expect(Date.parse(renewed.expires_at ?? '') - Date.parse(renewed.updated_at)).toBe(
        lifetime * hours,
      );
      await identity.bus.request(renewApiKey, { scope, apiKeyId: key.id });
    }
    const entries = await auditEntries(identity, other.realmId, 'api-key.renewed');
    expect(entries.map(({ actor, subject }) => [actor, subject['api_key_id']])).toEqual([
      ['realm', bound.id],
      ['realm', bound.id],
      ['realm', unbound.id],
      ['realm', unbound.id],
    ]);
  });

  it('renews no key of another realm, no expired key, and no other key for a user-bound key', async () => {
    const other = await identity.addRealm('Fourth');
    const key = await identity.createKey(realmPair(other));
    const renewNamed = async (scope: AccessScope) =>
      identity.bus.request(renewApiKey, { scope, apiKeyId: key.id });
    const foreign = await identity.resolve(realmPair(realm));
    await expect(renewNamed(foreign)).rejects.toMatchObject({ code: 'not-found' });
    const bound = await identity.createKey(realmPair(other), { userEmail: newEmail() });
    await expect(renewNamed(await identity.resolve(apiKey(bound)))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const reader = await identity.createKey(realmPair(other), { permissions: ['read'] });
    await expect(renewNamed(await identity.resolve(apiKey(reader)))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await expireIn(key, -1);
    const own = await identity.resolve(realmPair(other));
    await expect(renewNamed(own)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('rejects a key that has expired meanwhile, and other access', async () => {
    const key = await identity.createKey(realmPair(realm));
    const scope = await identity.resolve(apiKey(key));
    await expireIn(key, -1);
    const unauthenticated = { code: 'unauthenticated' };
    await expect(identity.bus.request(renewApiKey, { scope })).rejects.toMatchObject(
      unauthenticated,
    );
    const pair = await identity.resolve(realmPair(realm));
    await expect(identity.bus.request(renewApiKey, { scope: pair })).rejects.toMatchObject(
      unauthenticated,
    );
  });
});
