import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Failure, type ProviderCredentials } from '#libs/contracts';
import { providerSecretPurpose, Sealing } from '#libs/platform';
import { type SimulatedAccount, SimulatedProvider } from '#libs/testing';
import { CourseProviderDirectory } from './course-provider-directory.ts';

describe('the directory of course providers', () => {
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
    };
  };

  it('connects each application with its own credentials, and asks for them once', async () => {
    const directory = new CourseProviderDirectory(ask, sealing);
    for (const applicationId of [1, 2, 1, 2]) {
      await (await directory.forApplication(applicationId)).ping();
    }
    expect(asked).toEqual([1, 2]);
    expect(simulated.requests.map(({ appId }) => appId)).toEqual(['one', 'two', 'one', 'two']);
  });

  it('asks anew once it was told to forget', async () => {
    const directory = new CourseProviderDirectory(ask, sealing);
    await directory.forApplication(1);
    directory.forget();
    await directory.forApplication(1);
    expect(asked).toEqual([1, 1]);
  });

  it('keeps no failure', async () => {
    const directory = new CourseProviderDirectory(ask, sealing);
    await expect(directory.forApplication(3)).rejects.toMatchObject({ code: 'not-found' });
    accounts[3] = simulated.addAccount('three');
    await (await directory.forApplication(3)).ping();
  });

  it("opens no secret that was sealed for another application's id", async () => {
    sealedFor = () => providerSecretPurpose('two');
    const directory = new CourseProviderDirectory(ask, sealing);
    await expect(directory.forApplication(1)).rejects.toThrow();
    expect(simulated.requests).toEqual([]);
  });
});
