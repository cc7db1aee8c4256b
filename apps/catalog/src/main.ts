import '@registrar/platform/prepare-node';

const { runDistributedApp } = await import('@registrar/bootstrap');
const { catalogSettings, startCatalog } = await import('./index.ts');
const { catalogSchema } = await import('./schema.ts');

await runDistributedApp('catalog', catalogSettings, startCatalog, catalogSchema);
