import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createProviderApplication,
  findPostbackAccess,
  findProviderCredentials,
  resealSecrets,
  rotatePostbackSecret,
  showPostbackSecret,
  switchRealm,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { generateMasterKey, postbackSecretPurpose, Sealing } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import { hashSecret } from '../access/secrets.ts';
import {
  auditEntries,
  type IdentityFixture,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

describe('postback secrets', () => {
  const [old, fresh] = [generateMasterKey(), generateMasterKey()];
  let identity: IdentityFixture;
  let realm: TestRealm;
  let application: TestApplication;

  beforeAll(async () => {
    identity = await startIdentityFixture(fresh + old);
  });
  beforeEach(async () => {
    realm = await identity.addRealm();
    application = await identity.addApplication(realm);
  });
  afterAll(() => identity.stop());

  /** Returns the secret as a service opens it. */
  const openedBy = async (sealing: Sealing) => {
    const { applicationId, appId } = application;
    const credentials = await identity.bus.request(findProviderCredentials, { applicationId });
    return sealing.open(credentials.sealedPostbackSecret, postbackSecretPurpose(appId));
  };
  const hash = async () => {
    const { applicationId } = application;
    return (await identity.bus.request(findPostbackAccess, { applicationId })).secretHash;
  };
  const show = () =>
    identity.bus.request(showPostbackSecret, { applicationId: application.applicationId });
  const rotate = () =>
    identity.bus.request(rotatePostbackSecret, { applicationId: application.applicationId });

  it('postback secrets are made with an application, and stay when it is added again', async () => {
    const secret = await openedBy(identity.sealing);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    await identity.bus.request(createProviderApplication, {
      realmGuid: realm.realmGuid,
      name: 'Renamed',
      baseUrl: 'http://renamed.example',
      appId: application.appId,
      secretKey: randomUUID(),
    });
    expect(await show()).toEqual({ userName: 'postback', password: secret });
    expect(await hash()).toBe(hashSecret(secret).toString('base64url'));
  });

  it('postback secrets are replaced by the operator, which publishes an event and is audited', async () => {
    const before = await show();
    const changes = await identity.accessChanges(realm);
    const after = await rotate();
    expect(after.password).not.toBe(before.password);
    expect(await show()).toEqual(after);
    expect(await openedBy(identity.sealing)).toBe(after.password);
    expect(await hash()).toBe(hashSecret(after.password).toString('base64url'));
    expect(await identity.accessChanges(realm)).toBe(changes + 1);
    expect(
      await auditEntries(identity, realm.realmId, 'application.postback-rotated'),
    ).toMatchObject([
      { actor: 'operator', subject: { application_id: application.applicationId } },
    ]);
  });

  it('postback secrets are not found for an unknown application, and in a disabled realm', async () => {
    const { realmGuid } = realm;
    await identity.bus.request(switchRealm, { realmGuid, enabled: false });
    await expect(hash()).rejects.toMatchObject({ code: 'not-found' });
    await identity.bus.request(switchRealm, { realmGuid, enabled: true });
    expect(await hash()).toMatch(/^[\w-]{43}$/);
    application = { ...application, applicationId: 1_000_000 };
    for (const request of [show, rotate, hash]) {
      await expect(request()).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('postback secrets are resealed under a new master key together with the secret keys', async () => {
    const { password } = await show();
    const [sealedBefore, sealedNow] = [old, fresh].map(
      (key) => new Sealing(Buffer.from(key, 'base64')),
    );
    const { applicationId, appId } = application;
    await identity.database.execute(
      sql`UPDATE provider_applications
          SET sealed_postback_secret = ${sealedBefore!.seal(password, postbackSecretPurpose(appId))}
          WHERE id = ${applicationId}`,
    );
    const reseal = () => identity.bus.request(resealSecrets, { after: 0 });
    expect(await reseal()).toEqual({ resealed: 1, unopened: [], next: null });
    expect(await openedBy(sealedNow!)).toBe(password);
    expect(await reseal()).toEqual({ resealed: 0, unopened: [], next: null });
  });
});
