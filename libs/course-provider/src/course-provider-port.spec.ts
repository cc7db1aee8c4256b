import { describeCourseProviderPort } from './testing/index.ts';
import { SimulatedProvider } from '@registrar/testing';

describeCourseProviderPort('the simulated provider', async () => {
  const simulated = await SimulatedProvider.start();
  simulated.pageSize = 2;
  const account = simulated.addAccount('suite');
  return {
    baseUrl: simulated.url,
    appId: account.appId,
    secretKey: account.secretKey,
    package: new Uint8Array(1000),
    closeRegistrations: async () => {
      account.registrationLimit = account.registrations.size;
    },
    stop: () => simulated.stop(),
  };
});
