import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure, type ProviderCredentials } from '@registrar/contracts';
import { postbackSecretPurpose, providerSecretPurpose, Sealing } from '@registrar/platform';
import { type SimulatedAccount, SimulatedProvider } from '@registrar/testing';
import { CourseProviderDirectory } from './course-provider-directory.ts';

const postbackSecret = 'secret of postbacks';

describe('CourseProviderDirectory', () => {
  const sealing = new Sealing(Buffer.alloc(32, 7));
  let simulated: SimulatedProvider;
  let accounts: Record<number, SimulatedAccount>;
  let asked: number[];
  let sealedFor: (appId: string) => string;

  beforeEach(async () => {
    simulated = await SimulatedProvider.start();
    accounts = { 1: simulated.addAccount('one'), 2: simulated.addAccount('two') };
    asked = [];
    sealedFor = providerSecretPurpose;
  });
  afterEach(() => simulated.stop());

  const ask = async (applicationId: number): Promise<ProviderCredentials> => {
    asked.push(applicationId);
    const account = accounts[applicationId];
    if (!account) throw new Failure('not-found', 'no such provider application');
    return {
      applicationId,
      realmId: 1,
      baseUrl: simulated.url,
      appId: account.appId,
      sealedSecretKey: sealing.seal(account.secretKey, sealedFor(account.appId)),
      sealedPostbackSecret: sealing.seal(postbackSecret, postbackSecretPurpose('one')),
    };
  };

  it('connects each application with its own credentials, and looks them up once', async () => {
    const directory = new CourseProviderDirectory(ask, sealing);
    for (const applicationId of [1, 2, 1, 2]) {
      await (await directory.forApplication(applicationId)).ping();
    }
    expect(asked).toEqual([1, 2]);
    expect(simulated.requests.map(({ appId }) => appId)).toEqual(['one', 'two', 'one', 'two']);
  });

  it('looks credentials up again after invalidate', async () => {
    const directory = new CourseProviderDirectory(ask, sealing);
    await directory.forApplication(1);
    directory.invalidate();
    await directory.forApplication(1);
    expect(asked).toEqual([1, 1]);
  });

  it('CourseProviderDirectory does not cache a failed lookup', async () => {
    const directory = new CourseProviderDirectory(ask, sealing);
    await expect(directory.forApplication(3)).rejects.toMatchObject({ code: 'not-found' });
    accounts[3] = simulated.addAccount('three');
    await (await directory.forApplication(3)).ping();
  });

  it('opens the credentials of postbacks', async () => {
    const directory = new CourseProviderDirectory(ask, sealing);
    expect(await directory.postbackCredentials(1)).toEqual({
      userName: 'postback',
      password: postbackSecret,
    });
    await directory.forApplication(1);
    expect(asked).toEqual([1]);
    await expect(directory.postbackCredentials(2)).rejects.toThrow();
  });

  it("rejects a secret key that was sealed for another application's id", async () => {
    sealedFor = () => providerSecretPurpose('two');
    const directory = new CourseProviderDirectory(ask, sealing);
    await expect(directory.forApplication(1)).rejects.toThrow();
    expect(simulated.requests).toEqual([]);
  });
});
