import '@registrar/platform/prepare-node';

const { runRegistrar } = await import('./registrar.ts');

// EPIPE ends the program successfully.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

const { stdin, stdout, stderr, env: environment } = process;
process.exitCode = await runRegistrar(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  environment,
});
