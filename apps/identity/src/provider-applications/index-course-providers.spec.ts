import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  courseProviderRecord,
  type Credentials,
  indexCourseProviders,
  listApplications,
} from '#libs/contracts';
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

describe('the provider applications', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;
  let other: TestRealm;
  let applications: TestApplication[];

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
    other = await identity.addRealm('Other');
    const first = await identity.addApplication(realm);
    const foreign = await identity.addApplication(other);
    applications = [first, await identity.addApplication(realm), foreign];
  });
  afterAll(() => identity.stop());

  const ids = (...numbers: number[]) =>
    numbers.map((number) => applications[number]?.applicationId);

  const index = async (credentials: Credentials, pageSize?: number) => {
    const scope = await identity.resolve(credentials);
    const found = [];
    for await (const page of identity.bus.pages(indexCourseProviders, { scope }, pageSize)) {
      found.push(...page);
    }
    return found;
  };
  const reached = async (credentials: Credentials, pageSize?: number) =>
    (await index(credentials, pageSize)).map(({ id }) => id);

  it('are shown as far as the access reaches', async () => {
    const [application] = applications;
    if (!application) throw new Error('no application');
    const { applicationId } = application;
    expect(await reached(realmPair(realm))).toEqual(ids(0, 1));
    expect(await reached(realmPair(realm), 1)).toEqual(ids(0, 1));
    expect(await reached(realmPair(other))).toEqual(ids(2));
    expect(await reached(providerPair(application))).toEqual(ids(0));
    const bound = await identity.createKey(realmPair(realm), { applicationId });
    expect(await reached(apiKey(bound))).toEqual(ids(0));
    const ofUser = await identity.createKey(realmPair(realm), { userEmail: newEmail() });
    expect(await reached(apiKey(ofUser))).toEqual(ids(0, 1));
  });

  it('are shown without their secrets', async () => {
    const [record] = await index(realmPair(realm));
    expect(record).toEqual(courseProviderRecord.strict().parse(record));
    expect(record).toMatchObject({
      name: 'Swimming school',
      sc_app_id: applications[0]?.appId,
      url: 'https://provider.example.com',
      realm_id: realm.realmId,
    });
  });

  it('are shown to the operator by realm, and all', async () => {
    const list = async (realmGuid: string | null) => {
      const found = [];
      for await (const page of identity.bus.pages(listApplications, { realmGuid }, 1)) {
        found.push(...page.map(({ id, realm_guid }) => [id, realm_guid]));
      }
      return found;
    };
    const [first, second, foreign] = ids(0, 1, 2);
    const ofRealm = [
      [first, realm.realmGuid],
      [second, realm.realmGuid],
    ];
    expect(await list(realm.realmGuid)).toEqual(ofRealm);
    expect(await list(null)).toEqual(
      [...ofRealm, [foreign, other.realmGuid]].toSorted(([a], [b]) => Number(a) - Number(b)),
    );
    await expect(list('unknown')).rejects.toMatchObject({ code: 'not-found' });
  });
});
