import { embeddedPostgresUrl } from '@registrar/persistence/testing';
import { freePort, highRequestLimits, SupervisedProcess } from '@registrar/testing';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Facts } from '@registrar/conformance';
import { crawlSettings, type System } from './system.ts';

const entry = fileURLToPath(new URL('../../../apps/standalone/dist/main.js', import.meta.url));

/**
 * Starts the standalone form: all apps in one process, which starts its own PostgreSQL.
 *
 * @param resources receives everything that must be disposed of
 */
export async function startStandalone(resources: AsyncDisposableStack): Promise<System> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-chaos-'));
  // When the process runs as root, PostgreSQL runs as another user that must be able to reach its data.
  await chmod(directory, 0o711);
  const [port, providerPort] = await Promise.all([freePort(), freePort()]);
  const standalone = await SupervisedProcess.start('standalone', {
    entry,
    environment: {
      DATA_DIR: directory,
      PORT: String(port),
      PROVIDER_PORT: String(providerPort),
      CONSOLE_PORT: '0',
      ...crawlSettings,
      ...highRequestLimits,
    },
    logFile: join(directory, 'output.log'),
  });
  resources.adopt(standalone, (process) => process.stop());
  const facts = await readFile(join(directory, 'quickstart.json'), 'utf8');
  return {
    form: 'standalone',
    facts: JSON.parse(facts) as Facts,
    baseUrls: [`http://localhost:${port}/api/v2`],
    processes: [standalone],
    broker: null,
    postgres: null,
    next: null,
    providerBalancer: null,
    masterKey: null,
    rotation: null,
    directory,
    databaseUrl: () => embeddedPostgresUrl(directory),
  };
}
