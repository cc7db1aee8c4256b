import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyFilters, type ApiKeyRecord, listApiKeys } from '@registrar/contracts';
import { runInRequestContext } from '@registrar/platform';
import { eventually } from '@registrar/testing';
import {
  apiKey,
  auditEntries,
  type IdentityFixture,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
import { ApiKey } from './api-key.entity.ts';
import { ApiKeyUses } from './api-key-uses.ts';

describe('the use of API keys', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const lastUsedAt = async ({ id }: ApiKeyRecord) => {
    const key = await identity.repository(ApiKey).findOneByOrFail({ id });
    return key.lastUsedAt?.getTime() ?? null;
  };
  const stored = (key: ApiKeyRecord, after: number) =>
    eventually('the use of the key is stored', async () => {
      const at = await lastUsedAt(key);
      return at !== null && at >= after;
    });

  it('is stored and listed after a request, and its first use is in the audit log', async () => {
    const key = await identity.createKey(realmPair(realm));
    expect(await lastUsedAt(key)).toBeNull();
    const begun = Date.now();
    const request = { requestId: 'first', deadline: begun + 30_000, clientAddress: '192.0.2.7' };
    await runInRequestContext(request, () => identity.resolve(apiKey(key)));
    await stored(key, begun);
    const listed = [];
    const input = { realmGuid: realm.realmGuid, ...apiKeyFilters.parse({}) };
    for await (const page of identity.bus.pages(listApiKeys, input)) listed.push(...page);
    expect(listed.find(({ id }) => id === key.id)?.last_used_at).toMatch(/Z$/);
    expect(await auditEntries(identity, realm.realmId, 'api-key.first-used')).toMatchObject([
      { actor_id: key.id, request_id: 'first', client_address: '192.0.2.7' },
    ]);
  });

  it('is stored again after some minutes only, without another entry of the audit log', async () => {
    const key = await identity.createKey(realmPair(realm));
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const uses = new ApiKeyUses(identity.database, identity.audit);
    const entries = await auditEntries(identity, realm.realmId, 'api-key.first-used');
    for (const [before, isStored] of [
      [minutesAgo(4), false],
      [minutesAgo(6), true],
    ] as const) {
      await identity.repository(ApiKey).update(key.id, { lastUsedAt: before });
      uses.note({ id: key.id, lastUsedAt: before });
      await uses.store();
      expect((await lastUsedAt(key)) !== before.getTime()).toBe(isStored);
    }
    expect(await auditEntries(identity, realm.realmId, 'api-key.first-used')).toEqual(entries);
  });

  it('is stored once when several replicas see the first use', async () => {
    const other = await identity.addRealm('Other');
    const key = await identity.createKey(realmPair(other));
    const replicas = [1, 2].map(() => new ApiKeyUses(identity.database, identity.audit));
    for (const uses of replicas) uses.note({ id: key.id, lastUsedAt: null });
    await Promise.all(replicas.map((uses) => uses.store()));
    expect(await auditEntries(identity, other.realmId, 'api-key.first-used')).toHaveLength(1);
  });

  it('of a key that was revoked meanwhile is forgotten', async () => {
    const uses = new ApiKeyUses(identity.database, identity.audit);
    uses.note({ id: 2_000_000_000, lastUsedAt: null });
    expect(await uses.store()).toBe(false);
  });
});
