import '@registrar/platform/prepare-node';

const { runDistributed } = await import('./run-distributed.ts');

await runDistributed();
