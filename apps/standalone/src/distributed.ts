import '@registrar/platform/require-node';

const { runDistributed } = await import('./run-distributed.ts');

await runDistributed();
