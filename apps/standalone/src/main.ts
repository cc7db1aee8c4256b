import '@registrar/platform/require-node';

const { runStandalone } = await import('./run-standalone.ts');

await runStandalone();
