import { freePort, SupervisedProcess } from '#libs/testing';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Facts } from '../conformance/installation.ts';
import { crawling, type System } from './system.ts';

const entry = fileURLToPath(new URL('../apps/standalone/src/main.js', import.meta.url));

/**
 * All apps in one process, with the PostgreSQL that it starts for itself.
 *
 * @param remains gets all that is to be ended
 */
export async function startStandalone(remains: AsyncDisposableStack): Promise<System> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-chaos-'));
  // As root, the database runs as another user and must get to its data.
  await chmod(directory, 0o711);
  const [port, providerPort] = await Promise.all([freePort(), freePort()]);
  const standalone = await SupervisedProcess.start('standalone', {
    entry,
    environment: {
      DATA_DIR: directory,
      PORT: String(port),
      PROVIDER_PORT: String(providerPort),
      ...crawling,
    },
    logFile: join(directory, 'output.log'),
  });
  remains.adopt(standalone, (process) => process.stop());
  const facts = await readFile(join(directory, 'quickstart.json'), 'utf8');
  const server = join(directory, 'postgres');
  return {
    form: 'standalone',
    facts: JSON.parse(facts) as Facts,
    baseUrls: [`http://localhost:${port}/api/v2`],
    processes: [standalone],
    broker: null,
    postgres: null,
    next: null,
    masterKey: null,
    directory,
    databaseUrl: async () => {
      const password = (await readFile(join(server, 'password'), 'utf8')).trim();
      const [, , , serverPort] = (
        await readFile(join(server, 'data/postmaster.pid'), 'utf8')
      ).split('\n');
      return `postgres://registrar:${password}@127.0.0.1:${serverPort}/registrar`;
    },
  };
}
