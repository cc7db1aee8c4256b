import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InputOf } from '#libs/bus';
import { issueApiKey, listApiKeys, revokeApiKey } from '#libs/contracts';
import {
  type IdentityFixture,
  newEmail,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';

describe('the operation of api keys', () => {
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
      ...parts,
    });
  const list = async (realmGuid: string | null) => {
    const found = [];
    for await (const page of identity.bus.pages(listApiKeys, { realmGuid }, 2)) found.push(...page);
    return found;
  };
  const resolve = (token: string) => identity.resolve({ mode: 'api_key', token });

  it('makes keys to the whole realm, to an application, and for a user', async () => {
    const { applicationId } = await identity.addApplication(realm);
    const userEmail = newEmail();
    const whole = await issue();
    const bound = await issue({ applicationId });
    const ofUser = await issue({ userEmail });
    expect(await resolve(whole.token)).toMatchObject({ wholeRealm: true, user: null });
    expect(await resolve(bound.token)).toMatchObject({ applicationIds: [applicationId] });
    expect(await resolve(ofUser.token)).toMatchObject({ user: { email: userEmail } });
    expect(bound.summary).toMatchObject({ course_provider_id: applicationId, user_email: null });
    expect(ofUser.summary).toMatchObject({ course_provider_id: null, user_email: userEmail });
    expect(JSON.stringify(await list(null))).not.toContain(whole.token);
  });

  it('does not make a key of a realm or an application that is not there', async () => {
    const foreign = await identity.addApplication(await identity.addRealm('Other'));
    for (const parts of [
      { realmGuid: 'unknown' },
      { applicationId: foreign.applicationId },
      { applicationId: 2_000_000_000 },
    ]) {
      await expect(issue(parts)).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('lists the keys that have not expired, of a realm and of all', async () => {
    const own = await identity.addRealm('Own');
    const { realmGuid } = own;
    const kept = [await issue({ realmGuid }), await issue({ realmGuid })];
    const byCaller = await identity.createKey(realmPair(own));
    const expired = await issue({ realmGuid });
    await identity.database.query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [
      expired.summary.id,
    ]);
    const found = await list(realmGuid);
    expect(found.map(({ id }) => id)).toEqual([
      ...kept.map(({ summary }) => summary.id),
      byCaller.id,
    ]);
    expect(found[0]).toEqual(kept[0]?.summary);
    const all = await list(null);
    expect(all).toEqual(expect.arrayContaining(found));
    expect(all.length).toBeGreaterThan(found.length);
    await expect(list('unknown')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('ends a key at once, and says so to who may know it still', async () => {
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
});
