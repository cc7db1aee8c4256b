import { runDistributedApp } from '@registrar/bootstrap';

import { crawlerSettings, startCrawler } from './index.ts';
import { crawlerSchema } from './schema.ts';

await runDistributedApp('crawler', crawlerSettings, startCrawler, crawlerSchema);
