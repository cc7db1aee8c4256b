import { runDistributedApp } from '#libs/bus';
import { providerSettings, startProvider } from './index.ts';
import { providerSchema } from './schema.ts';

await runDistributedApp('provider', providerSettings, startProvider, providerSchema);
