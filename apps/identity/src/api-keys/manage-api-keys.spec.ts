import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InputOf } from '@registrar/bus';
import {
  apiKeyLimits,
  issueApiKey,
  listApiKeys,
  type Permission,
  revokeApiKey,
} from '@registrar/contracts';
import {
  type IdentityFixture,
  newEmail,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
import { ApiKey } from './api-key.entity.ts';

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
  const list = async (realmGuid: string | null) => {
    const found = [];
    for await (const page of identity.bus.pages(listApiKeys, { realmGuid }, 2)) found.push(...page);
    return found;
  };
  const resolve = (token: string) => identity.resolve({ mode: 'api_key', token });

  it('create keys of the whole realm, of an application and of a user', async () => {
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

  it('create keys with some permissions and a shorter lifetime', async () => {
    const permissions: Permission[] = ['launch'];
    const { summary, token } = await issue({ permissions, lifetimeHours: 2 });
    expect(summary.permissions).toEqual(permissions);
    expect(Date.parse(summary.expires_at) - Date.parse(summary.created_at)).toBe(2 * 3_600_000);
    expect(await resolve(token)).toMatchObject({ permissions });
  });

  it('reject an unknown realm or application as not found', async () => {
    const foreign = await identity.addApplication(await identity.addRealm('Other'));
    for (const parts of [
      { realmGuid: 'unknown' },
      { applicationId: foreign.applicationId },
      { applicationId: 2_000_000_000 },
    ]) {
      await expect(issue(parts)).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('list the valid keys of a realm and of all realms', async () => {
    const own = await identity.addRealm('Own');
    const { realmGuid } = own;
    const valid = [await issue({ realmGuid }), await issue({ realmGuid })];
    const byCaller = await identity.createKey(realmPair(own));
    const expired = await issue({ realmGuid });
    const expiresAt = new Date(Date.now() - 1_000);
    await identity.repository(ApiKey).update(expired.summary.id, { expiresAt });
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

  it('revoke a key at once and publish the change', async () => {
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

  it('revoke a key once when two requests arrive together', async () => {
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
});
