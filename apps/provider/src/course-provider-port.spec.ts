import { putApplication } from '#libs/contracts';
import { samplePackage } from '#libs/sample-courses';
import { describeCourseProviderPort } from '#libs/testing';
import * as jest from '@jest/globals';
import { startProviderFixture } from './provider.fixture.ts';

describeCourseProviderPort(jest, 'our own provider', async () => {
  const fixture = await startProviderFixture();
  const { appId, secretKey } = await fixture.client();
  return {
    baseUrl: fixture.url,
    appId,
    secretKey,
    package: await samplePackage('first-aid-basics'),
    closeRegistrations: async () => {
      await fixture.bus.request(putApplication, {
        ...{ appId, secretKey, name: 'Suite', registrationLimit: 0 },
      });
    },
    stop: () => fixture.stop(),
  };
});
