import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  courseProviderRecord,
  type Credentials,
  indexCourseProviders,
  listProviderApplicationSummaries,
} from '@registrar/contracts';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

describe('the indexes of provider applications', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;
  let other: TestRealm;
  let applications: TestApplication[];

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
    other = await identity.addRealm('Other');
    const first = await identity.addApplication(realm);
    const ofOtherRealm = await identity.addApplication(other);
    applications = [first, await identity.addApplication(realm), ofOtherRealm];
  });
  afterAll(() => identity.stop());

  const ids = (...numbers: number[]) =>
    numbers.map((number) => applications[number]?.applicationId);

  const index = async (credentials: Credentials, pageSize?: number) => {
    const scope = await identity.resolve(credentials);
    const found = [];
    for await (const { items: page } of identity.bus.pages(
      indexCourseProviders,
      { scope },
      pageSize,
    )) {
      found.push(...page);
    }
    return found;
  };
  const idsFor = async (credentials: Credentials, pageSize?: number) =>
    (await index(credentials, pageSize)).map(({ id }) => id);

  it('the indexes of provider applications contain the applications in the scope of the caller', async () => {
    const [application] = applications;
    if (!application) throw new Error('no application');
    const { applicationId } = application;
    expect(await idsFor(realmPair(realm))).toEqual(ids(0, 1));
    expect(await idsFor(realmPair(realm), 1)).toEqual(ids(0, 1));
    expect(await idsFor(realmPair(other))).toEqual(ids(2));
    expect(await idsFor(providerPair(application))).toEqual(ids(0));
    const applicationKey = await identity.createKey(realmPair(realm), { applicationId });
    expect(await idsFor(apiKey(applicationKey))).toEqual(ids(0));
    const userKey = await identity.createKey(realmPair(realm), { userEmail: newEmail() });
    expect(await idsFor(apiKey(userKey))).toEqual(ids(0, 1));
  });

  it('the indexes of provider applications contain no secrets', async () => {
    const [record] = await index(realmPair(realm));
    expect(record).toEqual(courseProviderRecord.strict().parse(record));
    expect(record).toMatchObject({
      name: 'Swimming school',
      sc_app_id: applications[0]?.appId,
      url: 'https://provider.example.com',
      realm_id: realm.realmId,
    });
  });

  it('the indexes of provider applications contain the applications of a realm or of all realms for the operator', async () => {
    const list = async (realmGuid: string | null, applicationId?: number) => {
      const found = [];
      for await (const { items: page } of identity.bus.pages(
        listProviderApplicationSummaries,
        { realmGuid, ...(applicationId !== undefined && { applicationId }) },
        1,
      )) {
        found.push(...page.map(({ id, realm_guid }) => [id, realm_guid]));
      }
      return found;
    };
    const [first, second, ofOtherRealm] = ids(0, 1, 2);
    const ofRealm = [
      [first, realm.realmGuid],
      [second, realm.realmGuid],
    ];
    expect(await list(realm.realmGuid)).toEqual(ofRealm);
    expect(await list(null)).toEqual(
      [...ofRealm, [ofOtherRealm, other.realmGuid]].toSorted(([a], [b]) => Number(a) - Number(b)),
    );
    expect(await list(null, second)).toEqual([[second, realm.realmGuid]]);
    expect(await list(realm.realmGuid, ofOtherRealm)).toEqual([]);
    await expect(list('unknown')).rejects.toMatchObject({ code: 'not-found' });
  });
});
