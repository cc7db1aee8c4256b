import '@registrar/platform/prepare-node';

const { runDistributedApp } = await import('@registrar/bootstrap');
const { identitySettings, startIdentity } = await import('./index.ts');
const { identitySchema } = await import('./schema.ts');

await runDistributedApp('identity', identitySettings, startIdentity, identitySchema);
