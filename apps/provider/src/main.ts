import { runDistributedApp } from '@registrar/bootstrap';

import { providerSettings, startProvider } from './index.ts';
import { providerSchema } from './schema.ts';

await runDistributedApp('provider', providerSettings, startProvider, providerSchema);
