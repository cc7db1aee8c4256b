import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProviderCredentials, resealSecrets } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { generateMasterKey, providerSecretPurpose, Sealing } from '@registrar/platform';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import {
  type IdentityFixture,
  providerPair,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

describe('resealing secrets with a new master key', () => {
  const [old, fresh] = [generateMasterKey(), generateMasterKey()];
  let identity: IdentityFixture;
  let realm: TestRealm;

  // The state after the new key was prepended to the file: all secrets are sealed with the old one.
  beforeAll(async () => {
    identity = await startIdentityFixture(fresh + old);
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const sealingWith = (key: string) => new Sealing(Buffer.from(key, 'base64'));
  /** Seals a secret as an identity app with this master key alone. */
  const sealWith = async (key: string, { applicationId, appId, secretKey }: TestApplication) => {
    const sealing = sealingWith(key);
    await identity.database.execute(
      sql`UPDATE provider_applications
          SET sealed_secret_key = ${sealing.seal(secretKey, providerSecretPurpose(appId))},
              secret_fingerprint = ${sealing.fingerprint(secretKey)}
          WHERE id = ${applicationId}`,
    );
  };
  const reseal = async () => {
    let resealed = 0;
    const unopened: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: Awaited<ReturnType<typeof resealPage>> = await resealPage(after);
      resealed += page.resealed;
      unopened.push(...page.unopened);
      after = page.next;
    }
    return { resealed, unopened };
  };
  const resealPage = (after: number) => identity.bus.request(resealSecrets, { after });

  it('reseals all secrets while callers and services use them', async () => {
    const applications: TestApplication[] = [];
    for (let count = 0; count < 120; count += 1) {
      applications.push(await identity.addApplication(realm));
    }
    await Promise.all(applications.map((application) => sealWith(old, application)));
    const either = new Sealing(Buffer.from(fresh, 'base64'), Buffer.from(old, 'base64'));
    let uses = 0;
    let isDone = false;
    /** Authenticates like a caller and opens the secret like a service. */
    const use = async (bus: IdentityFixture['bus'], application: TestApplication) => {
      const { applicationId, appId, secretKey } = application;
      await identity.resolve(providerPair(application));
      const { sealedSecretKey } = await bus.request(findProviderCredentials, { applicationId });
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

    // The old key is no longer necessary.
    for (const { applicationId, appId, secretKey } of applications) {
      const { sealedSecretKey } = await identity.bus.request(findProviderCredentials, {
        applicationId,
      });
      expect(sealingWith(fresh).open(sealedSecretKey, providerSecretPurpose(appId))).toBe(
        secretKey,
      );
    }
    const stored = await identity.database.many(
      z.object({ id: z.number(), fingerprint: z.instanceof(Buffer) }),
      sql`SELECT id, secret_fingerprint AS fingerprint FROM provider_applications`,
    );
    for (const { id, fingerprint } of stored) {
      const { secretKey = '' } =
        applications.find(({ applicationId }) => applicationId === id) ?? {};
      expect(fingerprint).toEqual(sealingWith(fresh).fingerprint(secretKey));
    }
    expect(await reseal()).toEqual({ resealed: 0, unopened: [] });
  });

  it('reports secrets that no master key opens and leaves them unchanged', async () => {
    const application = await identity.addApplication(realm);
    await sealWith(randomBytes(32).toString('base64'), application);
    expect(await reseal()).toEqual({ resealed: 0, unopened: [application.applicationId] });
    await sealWith(fresh, application);
  });
});
