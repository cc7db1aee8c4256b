import '@registrar/platform/prepare-node';

const { runDistributedApp } = await import('@registrar/bootstrap');
const { crawlerSettings, startCrawler } = await import('./index.ts');
const { crawlerSchema } = await import('./schema.ts');

await runDistributedApp('crawler', crawlerSettings, startCrawler, crawlerSchema);
