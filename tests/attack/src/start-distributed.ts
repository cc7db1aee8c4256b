import { type AppName, apps, entryOf, environmentOf } from '@registrar/bootstrap';
import { DedicatedPostgres } from '@registrar/persistence/testing';
import { generateMasterKey } from '@registrar/platform';
import { createAppAccounts, type RunningSystem } from '@registrar/standalone/testing';
import {
  DedicatedBroker,
  freePort,
  programEnvironment,
  SupervisedProcess,
} from '@registrar/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KnownSecrets } from './known-secrets.ts';
import {
  consoleOfTarget,
  nodeOptions,
  type Target,
  type TargetProcess,
  targetSettings,
} from './target.ts';
import { startTraceFile } from './trace-file.ts';

/** The number of processes of an app that has more than one. */
const replicas: Partial<Record<AppName, number>> = { gateway: 2 };

const namespace = 'registrar';

const run = promisify(execFile);

/**
 * Starts a RabbitMQ, a PostgreSQL and every app, each with a user of its own at the broker and a role of its own at
 * the database.
 *
 * @param resources receives everything that must be disposed of, also when the start fails
 */
export async function startDistributedTarget(resources: AsyncDisposableStack): Promise<Target> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-attack-'));
  const broker = resources.adopt(await DedicatedBroker.start(), (each) => each.dispose());
  const postgres = resources.adopt(await DedicatedPostgres.start(), (each) => each.dispose());
  const traceFile = join(directory, 'traces.jsonl');
  const collector = resources.adopt(await startTraceFile(traceFile), (each) => each.close());
  const accounts = await createAppAccounts(broker, postgres.url, { namespace });
  const secrets = new KnownSecrets();
  secrets.add(...accounts.passwords);
  const keyFile = async (name: string) => {
    const [file, key] = [join(directory, name), generateMasterKey()];
    await writeFile(file, key, { mode: 0o600 });
    secrets.add(key.trim());
    return file;
  };
  const gatewayPorts = await Promise.all(
    Array.from({ length: replicas.gateway ?? 1 }, () => freePort()),
  );
  const providerPort = await freePort();
  const providerUrl = `http://localhost:${providerPort}`;
  const { settings: consoleSettings, ...addresses } = await consoleOfTarget();
  const environment = {
    ...targetSettings(collector.url),
    ...consoleSettings,
    ...accounts.settings,
    BUS_NAMESPACE: namespace,
    MASTER_KEY_FILE: await keyFile('master.key'),
    LAUNCH_KEY_FILE: await keyFile('launch.key'),
    DATA_DIR: directory,
    PORT: String(gatewayPorts[0]),
    PROVIDER_PORT: String(providerPort),
    PROVIDER_URL: providerUrl,
    PUBLIC_URL: `http://localhost:${gatewayPorts[0]}`,
  };
  const start = async (app: AppName, place: number): Promise<TargetProcess> => {
    const name = place === 0 ? app : `${app}-${place + 1}`;
    const managementPort = await freePort();
    const logFile = join(directory, `${name}.log`);
    const supervised = await SupervisedProcess.start(name, {
      entry: entryOf(app),
      environment: {
        ...(environmentOf(app, environment) as Record<string, string>),
        NODE_ENV: 'production',
        NODE_OPTIONS: nodeOptions,
        MANAGEMENT_PORT: String(managementPort),
        ...(app === 'gateway' && { PORT: String(gatewayPorts[place]) }),
      },
      logFile,
    });
    resources.adopt(supervised, (each) => each.stop());
    const managementUrl = `http://127.0.0.1:${managementPort}`;
    return { name, apps: [app], managementUrls: [managementUrl], logFile, supervised };
  };
  const started = await Promise.all(
    [...apps, 'console' as const].flatMap((app) =>
      Array.from({ length: replicas[app] ?? 1 }, (_, place) => start(app, place)),
    ),
  );
  const registrar = async (...words: string[]) => {
    const { stdout } = await run(process.execPath, [entryOf('cli'), ...words], {
      env: {
        ...programEnvironment(),
        ...environmentOf('operator', environment),
      },
    });
    return stdout;
  };
  await registrar('quickstart');
  const facts = await readFile(join(directory, 'quickstart.json'), 'utf8');
  const quickstart = JSON.parse(facts) as RunningSystem['quickstart'];
  secrets.add(quickstart.realm_secret_key, quickstart.sc_secret_key);
  return {
    quickstart,
    providerUrl,
    brokerUrl: accounts.amqpUrl('operator'),
    namespace,
    dataDirectory: directory,
    databaseUrl: postgres.url,
    ...addresses,
    baseUrls: gatewayPorts.map((port) => `http://localhost:${port}/api/v2`),
    processesOfApps: started,
    broker: { namespace, amqpUrl: (app) => accounts.amqpUrl(app) },
    secrets,
    registrar,
    processes: () => started.flatMap(({ supervised }) => supervised.id ?? []),
    log: async () =>
      (await Promise.all(started.map(({ logFile }) => readFile(logFile, 'utf8')))).join('\n'),
  };
}
