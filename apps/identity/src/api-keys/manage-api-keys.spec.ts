import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  apiKeyFilters,
  type ApiKeyFilters,
  apiKeyLimits,
  issueApiKey,
  listApiKeys,
  type Permission,
  renewApiKey,
  revokeApiKey,
  revokeApiKeys,
  shortenApiKey,
  shortenApiKeys,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import {
  auditEntries,
  email,
  type IdentityFixture,
  newEmail,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
import { apiKeyBatchSize } from './selected-api-keys.ts';

/** Seconds. */
const day = 86_400;

describe('the operator’s requests for API keys', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const issue = (parts: Partial<InputOf<typeof issueApiKey>> = {}) =>
    identity.bus.request(issueApiKey, {
      realmGuid: realm.realmGuid,
      userEmail: null,
      applicationId: null,
      ...apiKeyLimits.parse({}),
      ...parts,
    });
  const list = async (realmGuid: string | null, filters: Partial<ApiKeyFilters> = {}) => {
    const input = { realmGuid, ...apiKeyFilters.parse(filters) };
    const found = [];
    for await (const { items: page } of identity.bus.pages(listApiKeys, input, 2))
      found.push(...page);
    return found;
  };
  const idsOf = (keys: readonly { id: number }[]) => keys.map(({ id }) => id);
  /** Four keys of a new realm: old and used, old and unused, of a user, and of another realm. */
  const addKeys = async () => {
    const own = await identity.addRealm('Own');
    const { realmGuid } = own;
    const userEmail = newEmail();
    const [used, unused, ofUser] = [
      (await issue({ realmGuid })).summary.id,
      (await issue({ realmGuid })).summary.id,
      (await issue({ realmGuid, userEmail })).summary.id,
    ];
    await issue({ realmGuid: realm.realmGuid, userEmail });
    const createdAt = new Date(Date.now() - 10 * day * 1_000);
    await identity.database.execute(
      sql`UPDATE api_keys SET created_at = ${createdAt} WHERE id IN (${used}, ${unused})`,
    );
    await identity.database.execute(
      sql`UPDATE api_keys SET last_used_at = ${new Date()} WHERE id = ${used}`,
    );
    return { own, realmGuid, userEmail, used, unused, ofUser };
  };
  const resolve = (token: string) => identity.resolve({ mode: 'api_key', token });

  it('the operator’s requests for API keys create keys of the whole realm, of an application and of a user', async () => {
    const { applicationId } = await identity.addApplication(realm);
    const userEmail = newEmail();
    const ofRealm = await issue();
    const ofApplication = await issue({ applicationId });
    const ofUser = await issue({ userEmail });
    expect(await resolve(ofRealm.token)).toMatchObject({ wholeRealm: true, user: null });
    expect(await resolve(ofApplication.token)).toMatchObject({ applicationIds: [applicationId] });
    expect(await resolve(ofUser.token)).toMatchObject({ user: { email: userEmail } });
    expect(ofApplication.summary).toMatchObject({
      course_provider_id: applicationId,
      user_email: null,
    });
    expect(ofUser.summary).toMatchObject({ course_provider_id: null, user_email: userEmail });
    expect(JSON.stringify(await list(null))).not.toContain(ofRealm.token);
  });

  it('the operator’s requests for API keys create keys with some permissions and a shorter lifetime', async () => {
    const permissions: Permission[] = ['launch'];
    const { summary, token } = await issue({ permissions, lifetimeHours: 2 });
    expect(summary.permissions).toEqual(permissions);
    expect(Date.parse(summary.expires_at) - Date.parse(summary.created_at)).toBe(2 * 3_600_000);
    expect(await resolve(token)).toMatchObject({ permissions });
  });

  it('the operator’s requests for API keys reject an unknown realm or application as not found', async () => {
    const foreign = await identity.addApplication(await identity.addRealm('Other'));
    for (const parts of [
      { realmGuid: 'unknown' },
      { applicationId: foreign.applicationId },
      { applicationId: 2_000_000_000 },
    ]) {
      await expect(issue(parts)).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('the operator’s requests for API keys list the valid keys of a realm and of all realms', async () => {
    const own = await identity.addRealm('Own');
    const { realmGuid } = own;
    const valid = [await issue({ realmGuid }), await issue({ realmGuid })];
    const byCaller = await identity.createKey(realmPair(own));
    const expired = await issue({ realmGuid });
    const expiresAt = new Date(Date.now() - 1_000);
    await identity.database.execute(
      sql`UPDATE api_keys SET expires_at = ${expiresAt} WHERE id = ${expired.summary.id}`,
    );
    const found = await list(realmGuid);
    expect(found.map(({ id }) => id)).toEqual([
      ...valid.map(({ summary }) => summary.id),
      byCaller.id,
    ]);
    expect(found[0]).toEqual(valid[0]?.summary);
    const all = await list(null);
    expect(all).toEqual(expect.arrayContaining(found));
    expect(all.length).toBeGreaterThan(found.length);
    await expect(list('unknown')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('the operator’s requests for API keys revoke a key at once and publish the change', async () => {
    const own = await identity.addRealm('Own');
    const { token, summary } = await issue({ realmGuid: own.realmGuid });
    const before = await identity.accessChanges(own);
    await identity.bus.request(revokeApiKey, { apiKeyId: summary.id });
    await expect(resolve(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await list(own.realmGuid)).toEqual([]);
    expect(await identity.accessChanges(own)).toBe(before + 1);
    await expect(
      identity.bus.request(revokeApiKey, { apiKeyId: summary.id }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });

  it('the operator’s requests for API keys revoke a key once when two requests arrive together', async () => {
    const own = await identity.addRealm('Own');
    const { summary } = await issue({ realmGuid: own.realmGuid });
    const before = await identity.accessChanges(own);
    const revoke = () => identity.bus.request(revokeApiKey, { apiKeyId: summary.id });
    const outcomes = await Promise.allSettled([revoke(), revoke()]);
    expect(outcomes).toContainEqual({ status: 'fulfilled', value: {} });
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'not-found' }),
    });
    expect(await identity.accessChanges(own)).toBe(before + 1);
  });

  it('the operator’s requests for API keys select keys of a realm by user, age and use', async () => {
    const { realmGuid, userEmail, used, unused, ofUser } = await addKeys();
    const selected = async (filters: Partial<ApiKeyFilters>) =>
      idsOf(await list(realmGuid, filters));
    expect(await selected({})).toEqual([used, unused, ofUser]);
    expect(await selected({ userEmail: email(userEmail.toUpperCase()) })).toEqual([ofUser]);
    expect(await selected({ olderThanSeconds: 9 * day })).toEqual([used, unused]);
    expect(await selected({ olderThanSeconds: 11 * day })).toEqual([]);
    expect(await selected({ unusedForSeconds: 9 * day })).toEqual([unused]);
    expect(await selected({ unusedForSeconds: 9 * day, userEmail })).toEqual([]);
    expect(await selected({ userEmail: newEmail() })).toEqual([]);
  });

  it('the operator’s requests for API keys revoke the selected keys at once, with an entry of the audit log for each', async () => {
    const { own, realmGuid, used, unused, ofUser } = await addKeys();
    const revoke = (filters: Partial<ApiKeyFilters>) =>
      identity.bus.request(revokeApiKeys, { realmGuid, ...apiKeyFilters.parse(filters) });
    const before = await identity.accessChanges(own);
    expect(await revoke({ unusedForSeconds: 9 * day })).toEqual({ changed: 1, more: false });
    expect(idsOf(await list(realmGuid))).toEqual([used, ofUser]);
    expect(await revoke({})).toEqual({ changed: 2, more: false });
    expect(await revoke({})).toEqual({ changed: 0, more: false });
    expect(await list(realmGuid)).toEqual([]);
    expect(await identity.accessChanges(own)).toBe(before + 2);
    const entries = await auditEntries(identity, own.realmId, 'api-key.revoked');
    expect(entries.map(({ subject }) => subject)).toEqual(
      [unused, used, ofUser].map((api_key_id) => ({ api_key_id })),
    );
  });

  it('the operator’s requests for API keys revoke keys in bounded numbers', async () => {
    const { realmId, realmGuid } = await identity.addRealm('Many');
    await identity.database.execute(
      sql`INSERT INTO api_keys (token_hash, realm_id, expires_at)
          SELECT sha256(n::text::bytea), ${realmId}, now() + interval '1 day'
          FROM generate_series(1, ${apiKeyBatchSize + 1}) AS n`,
    );
    const revoke = () =>
      identity.bus.request(revokeApiKeys, { realmGuid, ...apiKeyFilters.parse({}) });
    expect(await revoke()).toEqual({ changed: apiKeyBatchSize, more: true });
    expect(await revoke()).toEqual({ changed: 1, more: false });
  });

  it('the operator’s requests for API keys let keys expire earlier, which renewing does not change', async () => {
    const { own, realmGuid, unused } = await addKeys();
    const { token, summary } = await issue({ realmGuid });
    const before = await identity.accessChanges(own);
    const { expires_at } = await identity.bus.request(shortenApiKey, {
      apiKeyId: summary.id,
      inSeconds: 3_600,
    });
    expect(Date.parse(expires_at)).toBeLessThan(Date.parse(summary.expires_at));
    const scope = await resolve(token);
    expect(scope.expiresAt).toBe(expires_at);
    const renewed = await identity.bus.request(renewApiKey, { scope });
    expect(renewed.expires_at).toBe(expires_at);
    const shorten = (inSeconds: number, filters: Partial<ApiKeyFilters> = {}) =>
      identity.bus.request(shortenApiKeys, {
        realmGuid,
        inSeconds,
        ...apiKeyFilters.parse(filters),
      });
    expect(await shorten(7_200, { unusedForSeconds: 9 * day })).toMatchObject({ changed: 1 });
    // The key that expires in an hour keeps that.
    expect(await shorten(7_200)).toEqual({ changed: 2, more: false });
    expect((await resolve(token)).expiresAt).toBe(expires_at);
    expect(await shorten(0)).toMatchObject({ changed: 4 });
    await expect(resolve(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await list(realmGuid)).toEqual([]);
    // Four requests changed keys; one renewed a key.
    expect(await identity.accessChanges(own)).toBe(before + 5);
    const entries = await auditEntries(identity, own.realmId, 'api-key.shortened');
    expect(entries).toHaveLength(8);
    expect(entries[1]).toMatchObject({ actor: 'operator', subject: { api_key_id: unused } });
  });

  it('the operator’s requests for API keys reject an unknown key or realm', async () => {
    const filters = apiKeyFilters.parse({});
    const realmGuid = 'unknown';
    for (const request of [
      () => identity.bus.request(revokeApiKeys, { realmGuid, ...filters }),
      () => identity.bus.request(shortenApiKeys, { realmGuid, inSeconds: 1, ...filters }),
      () => identity.bus.request(shortenApiKey, { apiKeyId: 2_000_000_000, inSeconds: 1 }),
    ]) {
      await expect(request()).rejects.toMatchObject({ code: 'not-found' });
    }
  });
});
