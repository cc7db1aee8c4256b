import { runDistributedApp } from '#libs/bus';
import { crawlerSettings, startCrawler } from './index.ts';

await runDistributedApp('crawler', crawlerSettings, startCrawler);
