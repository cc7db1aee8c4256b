import { runDistributedApp } from '#libs/bus';
import { catalogSettings, startCatalog } from './index.ts';
import { catalogSchema } from './schema.ts';

await runDistributedApp('catalog', catalogSettings, startCatalog, catalogSchema);
