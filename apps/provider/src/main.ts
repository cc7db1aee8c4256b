import { runDistributedApp } from '#libs/bus';
import { providerSettings, startProvider } from './index.ts';

await runDistributedApp('provider', providerSettings, startProvider);
