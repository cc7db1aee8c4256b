import { DedicatedPostgres } from '@registrar/persistence/testing';
import { type StartedSystem, startDistributedSystem } from '@registrar/standalone/testing';
import { DedicatedBroker, highRequestLimits, testPostgresVariable } from '@registrar/testing';
import pg from 'pg';
import { type Baseline, startBare, startStock } from '../baselines/start-baselines.ts';
import { HttpLoadGenerator } from '../load/http-load.ts';
import { ApiAccess } from './api-access.ts';
import type { RunProfile } from '../profile.ts';
import type { Processes } from './process-usage.ts';
import { commandOf, findDescendant } from './processes.ts';

/** The settings of both forms: no request is refused, and no crawl happens while others are measured. */
export const standaloneSettings = {
  NODE_ENV: 'production',
  ...highRequestLimits,
  MAX_CONNECTIONS_PER_ADDRESS: '4096',
  CRAWL_INTERVAL_SECONDS: '86400',
} as const;

/**
 * What an installation runs with (Dockerfile, docker-compose.yml, k8s/base): the heap that V8 chooses in a
 * container of 512 MiB; the young generation is that of `npm run start:distributed`, the same as the image's.
 */
export const distributedSettings = {
  ...standaloneSettings,
  NODE_OPTIONS: '--max-old-space-size=256',
  MANAGEMENT_PORT: '0',
} as const;

/** The system in its distributed form, on a database of its own. */
export interface DistributedSystem {
  readonly system: StartedSystem;
  readonly databaseUrl: string;
  /** A connection to the database, as its superuser. */
  readonly database: pg.Client;
  /** Access to the demo realm. */
  readonly access: ApiAccess;
  /** The processes that work for the system, with the stores. */
  readonly processes: Processes;
}

/** The system in its distributed form, with the baselines beside it on the same stores. */
export interface Installation extends Omit<DistributedSystem, 'processes'> {
  readonly brokerUrl: string;
  readonly bare: Baseline;
  readonly stock: Baseline;
  readonly load: HttpLoadGenerator;
  /** The processes that work for each of the systems, with the stores. */
  readonly processes: Readonly<Record<'distributed' | 'bare' | 'stock', Processes>>;
  /** What is released at the end of the run, the last first. */
  readonly resources: AsyncDisposableStack;
}

/** @param profile if the run is profiled */
export async function startInstallation(
  resources: AsyncDisposableStack,
  profile: RunProfile | null,
): Promise<Installation> {
  const postgres = resources.adopt(
    await DedicatedPostgres.start(profile?.postgresSettings),
    (each) => each.dispose(),
  );
  process.env[testPostgresVariable] = postgres.url;
  const broker = resources.adopt(await DedicatedBroker.start(), (each) => each.dispose());
  const { NODE_OPTIONS } = distributedSettings;
  const { processes: distributed, ...started } = await startDistributed(
    resources,
    broker.url,
    profile ? { NODE_OPTIONS: `${NODE_OPTIONS} ${profile.nodeOption}` } : {},
  );
  const bare = await startBare(resources, started.databaseUrl);
  const stock = await startStock(resources, started.databaseUrl, broker.url);
  const load = resources.adopt(await HttpLoadGenerator.start(), (each) => each.stop());
  const stores = processesOfStores();
  return {
    ...started,
    brokerUrl: broker.url,
    bare,
    stock,
    load,
    resources,
    processes: {
      distributed,
      bare: { HTTP: { pids: [bare.pids.HTTP] }, PostgreSQL: stores.PostgreSQL },
      stock: {
        HTTP: { pids: [stock.pids.HTTP] },
        contexts: { pids: [stock.pids.contexts ?? 0] },
        ...stores,
      },
    },
  };
}

/** Starts the distributed form on a new database of the installation's PostgreSQL. */
export async function startDistributed(
  resources: AsyncDisposableStack,
  brokerUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DistributedSystem> {
  const system = resources.adopt(
    await startDistributedSystem(brokerUrl, { ...distributedSettings, ...settings }),
    (each) => each.dispose(),
  );
  const { databaseUrl } = system;
  if (databaseUrl === null) throw new Error('the system has no database of its own');
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  resources.defer(() => database.end());
  const isGateway = (pid: number) => /\/gateway\//.test(commandOf(pid));
  const pids = system.processes();
  return {
    system,
    databaseUrl,
    database,
    access: await ApiAccess.create(system.quickstart),
    processes: {
      HTTP: { pids: pids.filter(isGateway) },
      contexts: { pids: pids.filter((pid) => !isGateway(pid)) },
      ...processesOfStores(),
    },
  };
}

/** The stores that this process has started. */
const processesOfStores = () => ({
  PostgreSQL: postgresOf(process.pid),
  RabbitMQ: { pids: [findDescendant(process.pid, /\bbeam\.smp\b/)], isTree: true },
});

/** The PostgreSQL server that a process has started, with its backends. */
export const postgresOf = (parent: number) => ({
  pids: [findDescendant(parent, /\/postgres -D /)],
  isTree: true,
});
