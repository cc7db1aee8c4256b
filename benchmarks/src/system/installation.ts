import { DedicatedPostgres } from '@registrar/persistence/testing';
import { type StartedSystem, startDistributedSystem } from '@registrar/standalone/testing';
import { DedicatedBroker, highRequestLimits, testPostgresVariable } from '@registrar/testing';
import pg from 'pg';
import { type Baseline, startBare, startStock } from '../baselines/start-baselines.ts';
import { HttpLoadGenerator } from '../load/http-load.ts';
import { ApiAccess } from './api-access.ts';
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
const distributedSettings = {
  ...standaloneSettings,
  NODE_OPTIONS: '--max-old-space-size=256',
  MANAGEMENT_PORT: '0',
} as const;

/** The system in its distributed form, with the baselines beside it on the same stores. */
export interface Installation {
  readonly system: StartedSystem;
  readonly databaseUrl: string;
  readonly brokerUrl: string;
  /** A connection to the database, as its superuser. */
  readonly database: pg.Client;
  /** Access to the demo realm. */
  readonly access: ApiAccess;
  readonly bare: Baseline;
  readonly stock: Baseline;
  readonly load: HttpLoadGenerator;
  /** The processes that work for each of the systems, with the stores. */
  readonly processes: Readonly<Record<'distributed' | 'bare' | 'stock', Processes>>;
  /** What is released at the end of the run, the last first. */
  readonly resources: AsyncDisposableStack;
}

export async function startInstallation(resources: AsyncDisposableStack): Promise<Installation> {
  const postgres = resources.adopt(await DedicatedPostgres.start(), (each) => each.dispose());
  process.env[testPostgresVariable] = postgres.url;
  const broker = resources.adopt(await DedicatedBroker.start(), (each) => each.dispose());
  const system = resources.adopt(
    await startDistributedSystem(broker.url, distributedSettings),
    (each) => each.dispose(),
  );
  const { databaseUrl } = system;
  if (databaseUrl === null) throw new Error('the system has no database of its own');
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  resources.defer(() => database.end());
  const bare = await startBare(resources, databaseUrl);
  const stock = await startStock(resources, databaseUrl, broker.url);
  const load = resources.adopt(await HttpLoadGenerator.start(), (each) => each.stop());
  const PostgreSQL = postgresOf(process.pid);
  const RabbitMQ = { pids: [findDescendant(process.pid, /\bbeam\.smp\b/)], isTree: true };
  const isGateway = (pid: number) => /\/gateway\//.test(commandOf(pid));
  const pids = system.processes();
  return {
    brokerUrl: broker.url,
    ...{ system, databaseUrl, database, bare, stock, load, resources },
    access: await ApiAccess.create(system.quickstart),
    processes: {
      distributed: {
        HTTP: { pids: pids.filter(isGateway) },
        contexts: { pids: pids.filter((pid) => !isGateway(pid)) },
        ...{ PostgreSQL, RabbitMQ },
      },
      bare: { HTTP: { pids: [bare.pids.HTTP] }, PostgreSQL },
      stock: {
        HTTP: { pids: [stock.pids.HTTP] },
        contexts: { pids: [stock.pids.contexts ?? 0] },
        ...{ PostgreSQL, RabbitMQ },
      },
    },
  };
}

/** The PostgreSQL server that a process has started, with its backends. */
export const postgresOf = (parent: number) => ({
  pids: [findDescendant(parent, /\/postgres -D /)],
  isTree: true,
});
