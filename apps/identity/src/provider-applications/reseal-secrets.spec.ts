import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { providerCredentials, resealSecrets } from '#libs/contracts';
import { generateMasterKey, providerSecretPurpose, Sealing } from '#libs/platform';
import { randomBytes } from 'node:crypto';
import {
  type IdentityFixture,
  providerPair,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

describe('another master key', () => {
  const [old, fresh] = [generateMasterKey(), generateMasterKey()];
  let identity: IdentityFixture;
  let realm: TestRealm;

  // As after its first line was put there, while secrets lie under the second.
  beforeAll(async () => {
    identity = await startIdentityFixture(fresh + old);
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const keyed = (key: string) => new Sealing(Buffer.from(key, 'base64'));
  /** Puts a secret under a key, as an identity that had no other would have. */
  const under = async (key: string, { applicationId, appId, secretKey }: TestApplication) => {
    const sealing = keyed(key);
    await identity.database.query(
      `UPDATE provider_applications SET sealed_secret_key = $2, secret_fingerprint = $3
       WHERE id = $1`,
      [
        applicationId,
        sealing.seal(secretKey, providerSecretPurpose(appId)),
        sealing.fingerprint(secretKey),
      ],
    );
  };
  const reseal = async () => {
    let resealed = 0;
    const unopened: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: Awaited<ReturnType<typeof ask>> = await ask(after);
      resealed += page.resealed;
      unopened.push(...page.unopened);
      after = page.next;
    }
    return { resealed, unopened };
  };
  const ask = (after: number) => identity.bus.request(resealSecrets, { after });

  it('takes every secret over while they are used, and refuses nobody', async () => {
    const applications: TestApplication[] = [];
    for (let count = 0; count < 120; count += 1) {
      applications.push(await identity.addApplication(realm));
    }
    await Promise.all(applications.map((application) => under(old, application)));
    const either = new Sealing(Buffer.from(fresh, 'base64'), Buffer.from(old, 'base64'));
    let uses = 0;
    let isDone = false;
    /** What every service and every client does with a secret. */
    const use = async (bus: IdentityFixture['bus'], application: TestApplication) => {
      const { applicationId, appId, secretKey } = application;
      await identity.resolve(providerPair(application));
      const { sealedSecretKey } = await bus.request(providerCredentials, { applicationId });
      expect(either.open(sealedSecretKey, providerSecretPurpose(appId))).toBe(secretKey);
      uses += 1;
    };
    const load = identity.buses.map(async (bus) => {
      while (!isDone) for (const application of applications) await use(bus, application);
    });
    expect(await reseal()).toEqual({ resealed: 120, unopened: [] });
    isDone = true;
    await Promise.all(load);
    expect(uses).toBeGreaterThan(0);

    // The old key can go.
    for (const { applicationId, appId, secretKey } of applications) {
      const { sealedSecretKey } = await identity.bus.request(providerCredentials, {
        applicationId,
      });
      expect(keyed(fresh).open(sealedSecretKey, providerSecretPurpose(appId))).toBe(secretKey);
    }
    const kept = await identity.database.query<{ fingerprint: Buffer; id: number }>(
      'SELECT id, secret_fingerprint AS fingerprint FROM provider_applications',
    );
    for (const { id, fingerprint } of kept) {
      const { secretKey = '' } =
        applications.find(({ applicationId }) => applicationId === id) ?? {};
      expect(fingerprint).toEqual(keyed(fresh).fingerprint(secretKey));
    }
    expect(await reseal()).toEqual({ resealed: 0, unopened: [] });
  });

  it('tells which secrets no key opens, and leaves them', async () => {
    const application = await identity.addApplication(realm);
    await under(randomBytes(32).toString('base64'), application);
    expect(await reseal()).toEqual({ resealed: 0, unopened: [application.applicationId] });
    await under(fresh, application);
  });
});
