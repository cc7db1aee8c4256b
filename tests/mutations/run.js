/**
 * Starts one PostgreSQL server and runs Stryker. Stryker kills the process of a mutant that does not end, which would
 * leave a server of its own behind.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import startTestServer from '../../libs/persistence/dist/testing/global-setup.js';

const stopTestServer = await startTestServer();
const stryker = spawn(
  process.execPath,
  [
    'tests/mutations/stryker/node_modules/@stryker-mutator/core/bin/stryker.js',
    'run',
    'tests/mutations/stryker.config.js',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stryker.kill(signal));
const [code] = await once(stryker, 'exit');
await stopTestServer?.();
process.exit(code ?? 1);
