import { putApplication } from '@registrar/contracts';
import { buildSamplePackage } from '@registrar/sample-courses';
import { describeCourseProviderPort } from '@registrar/course-provider/testing';
import { startProviderFixture } from './provider.fixture.ts';

describeCourseProviderPort('the provider app', async () => {
  const fixture = await startProviderFixture();
  const { appId, secretKey } = await fixture.client();
  return {
    baseUrl: fixture.url,
    appId,
    secretKey,
    package: await buildSamplePackage('first-aid-basics'),
    closeRegistrations: async () => {
      await fixture.bus.request(putApplication, {
        appId,
        secretKey,
        name: 'Suite',
        registrationLimit: 0,
      });
    },
    stop: () => fixture.stop(),
  };
});
