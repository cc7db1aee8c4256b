import { type AppName, apps, entryOf, environmentOf } from '@registrar/bootstrap';
import { DedicatedPostgres } from '@registrar/persistence/testing';
import { generateMasterKey } from '@registrar/platform';
import {
  type AppAccounts,
  createAppAccounts,
  type RunningSystem,
} from '@registrar/standalone/testing';
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
import { startTraceFile } from './trace-file.ts';

/** The number of processes of an app that has more than one. */
const replicas: Partial<Record<AppName, number>> = { gateway: 2 };

const namespace = 'registrar';

/**
 * The heap that V8 chooses in a container of 512 MiB, as in docker-compose.yml and k8s/base, and the
 * young generation of the image.
 */
const nodeOptions = '--max-old-space-size=256';

const run = promisify(execFile);

/** A process of an app. */
export interface TargetProcess {
  /** `enrolment`, or `gateway-2` where an app has several. */
  readonly name: string;
  readonly app: AppName;
  /** Where it serves health and metrics. */
  readonly managementUrl: string;
  readonly logFile: string;
  readonly supervised: SupervisedProcess;
}

/** A distributed system with the accounts and limits that an installation has. */
export interface Target extends RunningSystem {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  /** The broker, as the operator. */
  readonly brokerUrl: string;
  readonly namespace: string;
  /** The API root of each gateway. */
  readonly baseUrls: readonly string[];
  readonly apps: readonly TargetProcess[];
  readonly broker: DedicatedBroker;
  readonly postgres: DedicatedPostgres;
  readonly accounts: AppAccounts;
  /** What no log, trace or answer may contain. Attacks add the secrets that they receive. */
  readonly secrets: KnownSecrets;
  /** The file that has received all exported traces. */
  readonly traceFile: string;
  /** Runs the command line, `registrar`, as the operator; returns what it printed. */
  registrar(...words: string[]): Promise<string>;
}

/**
 * Starts a RabbitMQ, a PostgreSQL and every app, each with a user of its own at the broker and a role of its own at
 * the database.
 *
 * @param resources receives everything that must be disposed of, also when the start fails
 */
export async function startTarget(resources: AsyncDisposableStack): Promise<Target> {
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
  const environment = {
    ...accounts.settings,
    BUS_NAMESPACE: namespace,
    MASTER_KEY_FILE: await keyFile('master.key'),
    LAUNCH_KEY_FILE: await keyFile('launch.key'),
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    PORT: String(gatewayPorts[0]),
    PROVIDER_PORT: String(providerPort),
    PROVIDER_URL: providerUrl,
    PUBLIC_URL: `http://localhost:${gatewayPorts[0]}`,
    // More often than by default, so that attacks meet crawls.
    CRAWL_INTERVAL_SECONDS: '3',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    // One trace in twenty: recording all of them would slow every attack down.
    OTEL_TRACES_SAMPLER_ARG: '0.05',
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
    return { name, app, managementUrl: `http://127.0.0.1:${managementPort}`, logFile, supervised };
  };
  const started = await Promise.all(
    apps.flatMap((app) =>
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
    baseUrls: gatewayPorts.map((port) => `http://localhost:${port}/api/v2`),
    apps: started,
    broker,
    postgres,
    accounts,
    secrets,
    traceFile,
    registrar,
    processes: () => started.flatMap(({ supervised }) => supervised.id ?? []),
    log: async () =>
      (await Promise.all(started.map(({ logFile }) => readFile(logFile, 'utf8')))).join('\n'),
  };
}
