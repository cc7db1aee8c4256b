import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyFilters, type ApiKeyRecord, listApiKeys } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { runInRequestContext } from '@registrar/platform';
import * as z from 'zod';
import {
  apiKey,
  auditEntries,
  type IdentityFixture,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
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
    const key = await identity.database.one(
      z.object({ at: z.date().nullable() }),
      sql`SELECT last_used_at AS at FROM api_keys WHERE id = ${id}`,
    );
    return key.at?.getTime() ?? null;
  };
  it('the use of API keys is stored and listed after a request, and its first use is in the audit log', async () => {
    const key = await identity.createKey(realmPair(realm));
    expect(await lastUsedAt(key)).toBeNull();
    const request = {
      requestId: 'first',
      deadline: Date.now() + 30_000,
      clientAddress: '192.0.2.7',
    };
    await runInRequestContext(request, () => identity.resolve(apiKey(key)));
    expect(await lastUsedAt(key)).not.toBeNull();
    const listed = [];
    const input = { realmGuid: realm.realmGuid, ...apiKeyFilters.parse({}) };
    for await (const { items: page } of identity.bus.pages(listApiKeys, input))
      listed.push(...page);
    expect(listed.find(({ id }) => id === key.id)?.last_used_at).toMatch(/Z$/);
    expect(await auditEntries(identity, realm.realmId, 'api-key.first-used')).toMatchObject([
      { actor_id: key.id, request_id: 'first', client_address: '192.0.2.7' },
    ]);
  });

  it('the use of API keys is in the audit log also when the key is revoked right after its first use', async () => {
    const other = await identity.addRealm('Brief');
    const key = await identity.createKey(realmPair(other));
    await identity.resolve(apiKey(key));
    await identity.database.execute(sql`DELETE FROM api_keys WHERE id = ${key.id}`);
    expect(await auditEntries(identity, other.realmId, 'api-key.first-used')).toMatchObject([
      { actor_id: key.id },
    ]);
  });

  it('the use of API keys is stored again after some minutes only, without another entry of the audit log', async () => {
    const key = await identity.createKey(realmPair(realm));
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const uses = new ApiKeyUses(identity.database, identity.audit);
    const entries = await auditEntries(identity, realm.realmId, 'api-key.first-used');
    for (const [before, isStored] of [
      [minutesAgo(4), false],
      [minutesAgo(6), true],
    ] as const) {
      await identity.database.execute(
        sql`UPDATE api_keys SET last_used_at = ${before} WHERE id = ${key.id}`,
      );
      const { realmId } = realm;
      await uses.note({ id: key.id, realmId, applicationId: null, lastUsedAt: before });
      await uses.store();
      expect((await lastUsedAt(key)) !== before.getTime()).toBe(isStored);
    }
    expect(await auditEntries(identity, realm.realmId, 'api-key.first-used')).toEqual(entries);
  });

  it('the use of API keys is stored once when several replicas see the first use', async () => {
    const other = await identity.addRealm('Other');
    const key = await identity.createKey(realmPair(other));
    const replicas = [1, 2].map(() => new ApiKeyUses(identity.database, identity.audit));
    const { realmId } = other;
    const use = { id: key.id, realmId, applicationId: null, lastUsedAt: null };
    await Promise.all(replicas.map((uses) => uses.note(use)));
    expect(await auditEntries(identity, other.realmId, 'api-key.first-used')).toHaveLength(1);
  });

  it('the use of a key that was revoked meanwhile is forgotten', async () => {
    const uses = new ApiKeyUses(identity.database, identity.audit);
    const revoked = { id: 2_000_000_000, realmId: realm.realmId, applicationId: null };
    await uses.note({ ...revoked, lastUsedAt: null });
    await uses.note({ ...revoked, lastUsedAt: new Date(0) });
    expect(await uses.store()).toBe(false);
  });
});
