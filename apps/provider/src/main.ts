import '@registrar/platform/prepare-node';

const { runDistributedApp } = await import('@registrar/bootstrap');
const { providerSettings, startProvider } = await import('./index.ts');
const { providerSchema } = await import('./schema.ts');

await runDistributedApp('provider', providerSettings, startProvider, providerSchema);
