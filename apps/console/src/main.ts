import '@registrar/platform/prepare-node';

const [task] = process.argv.slice(2);
if (task === 'sign-in-link') {
  const { printSignInLink } = await import('./sign-in/print-sign-in-link.ts');
  await printSignInLink();
} else {
  const { runDistributedApp } = await import('@registrar/bootstrap');
  const { consoleSettings, startConsole } = await import('./index.ts');
  const { consoleSchema } = await import('./schema.ts');
  await runDistributedApp('console', consoleSettings, startConsole, consoleSchema);
}
