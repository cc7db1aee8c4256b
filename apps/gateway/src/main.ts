import '@registrar/platform/prepare-node';

const { runDistributedApp } = await import('@registrar/bootstrap');
const { gatewaySettings, startGateway } = await import('./index.ts');

await runDistributedApp('gateway', gatewaySettings, startGateway);
