import { runDistributedApp } from '@registrar/bootstrap';

import { catalogSettings, startCatalog } from './index.ts';
import { catalogSchema } from './schema.ts';

await runDistributedApp('catalog', catalogSettings, startCatalog, catalogSchema);
