import { apps, entryOf } from '@registrar/bootstrap';
import { embeddedPostgresUrl } from '@registrar/persistence/testing';
import { managementPortAt } from '@registrar/platform';
import type { RunningSystem } from '@registrar/standalone/testing';
import { freePort, programEnvironment, SupervisedProcess } from '@registrar/testing';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { KnownSecrets } from './known-secrets.ts';
import { consoleOfTarget, nodeOptions, type Target, targetSettings } from './target.ts';
import { startTraceFile } from './trace-file.ts';

const entry = fileURLToPath(new URL('../../../apps/standalone/dist/main.js', import.meta.url));

const run = promisify(execFile);

/**
 * Starts the standalone form: all apps in one process, which starts its own PostgreSQL.
 *
 * @param resources receives everything that must be disposed of, also when the start fails
 */
export async function startStandaloneTarget(resources: AsyncDisposableStack): Promise<Target> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-attack-'));
  // When the process runs as root, PostgreSQL runs as another user that must be able to reach its data.
  await chmod(directory, 0o711);
  const collector = await startTraceFile(join(directory, 'traces.jsonl'));
  resources.adopt(collector, (each) => each.close());
  const [port, providerPort, managementPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
  ]);
  const { settings: consoleSettings, ...addresses } = await consoleOfTarget();
  const logFile = join(directory, 'output.log');
  const supervised = await SupervisedProcess.start('standalone', {
    entry,
    environment: {
      ...targetSettings(collector.url),
      DATA_DIR: directory,
      PORT: String(port),
      PROVIDER_PORT: String(providerPort),
      ...consoleSettings,
      MANAGEMENT_PORT: String(managementPort),
      NODE_ENV: 'production',
      NODE_OPTIONS: nodeOptions,
    },
    logFile,
  });
  resources.adopt(supervised, (each) => each.stop());
  const read = async (file: string) => (await readFile(join(directory, file), 'utf8')).trim();
  const quickstart = JSON.parse(await read('quickstart.json')) as RunningSystem['quickstart'];
  const databaseUrl = await embeddedPostgresUrl(directory);
  const secrets = new KnownSecrets();
  secrets.add(new URL(databaseUrl).password, await read('master.key'), await read('launch.key'));
  secrets.add(quickstart.realm_secret_key, quickstart.sc_secret_key);
  return {
    quickstart,
    providerUrl: `http://localhost:${providerPort}`,
    brokerUrl: null,
    namespace: null,
    dataDirectory: directory,
    databaseUrl,
    ...addresses,
    baseUrls: [`http://localhost:${port}/api/v2`],
    processesOfApps: [
      {
        name: 'standalone',
        apps,
        managementUrls: apps.map(
          (_, place) => `http://127.0.0.1:${managementPortAt(managementPort, place)}`,
        ),
        logFile,
        supervised,
      },
    ],
    broker: null,
    secrets,
    registrar: async (...words) => {
      const env = { ...programEnvironment(), DATA_DIR: directory };
      return (await run(process.execPath, [entryOf('cli'), ...words], { env })).stdout;
    },
    processes: () => (supervised.id === null ? [] : [supervised.id]),
    log: () => readFile(logFile, 'utf8'),
  };
}
