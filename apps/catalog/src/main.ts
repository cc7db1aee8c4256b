import { runDistributedApp } from '#libs/bus';
import { catalogSettings, startCatalog } from './index.ts';

await runDistributedApp('catalog', catalogSettings, startCatalog);
