import '@registrar/platform/prepare-node';

const { runStandalone } = await import('./run-standalone.ts');

await runStandalone();
