import { DedicatedPostgres } from '@registrar/persistence/testing';
import {
  BrokerCluster,
  DedicatedBroker,
  freePort,
  highRequestLimits,
  programEnvironment,
  startBalancer,
  SupervisedProcess,
} from '@registrar/testing';
import { generateMasterKey } from '@registrar/platform';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Facts } from '@registrar/conformance';
import { type Broker, type BrokerNodeCount, crawlSettings, type System } from './system.ts';
import { entryOf, makeNextVersion, thisVersion, type Version } from './version.ts';

/** Number of replicas of each app, in start order: an app starts after those that it sends requests to. */
const replicas = {
  provider: 2,
  identity: 2,
  catalog: 2,
  crawler: 2,
  enrolment: 2,
  gateway: 2,
} as const;

const namespace = 'chaos';
const run = promisify(execFile);
const resealOutput = z.object({ resealed: z.number() });
const migrateOutput = z.array(z.object({ migrations: z.array(z.string()) }));

/**
 * Starts two replicas of every app with a dedicated broker and a dedicated PostgreSQL.
 *
 * @param from the version to start with, which this version replaces; without it, this version
 *   starts and a version that is made for the run replaces it
 * @param databaseUrl the database to use instead of a dedicated PostgreSQL
 * @param resources receives everything that must be disposed of, also when the start fails
 */
export async function startDistributed(
  resources: AsyncDisposableStack,
  {
    from: previous,
    brokers,
    databaseUrl,
  }: { from?: Version | undefined; brokers: BrokerNodeCount; databaseUrl?: string },
): Promise<System> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-chaos-'));
  const [version, next] = previous
    ? [previous, thisVersion]
    : [thisVersion, await makeNextVersion(directory)];
  const broker = await startBroker(resources, brokers);
  const postgres =
    databaseUrl === undefined
      ? resources.adopt(await DedicatedPostgres.start(), (server) => server.dispose())
      : null;
  const database = postgres?.url ?? databaseUrl ?? '';
  const masterKeyFile = join(directory, 'master.key');
  const launchKeyFile = join(directory, 'launch.key');
  for (const file of [masterKeyFile, launchKeyFile]) {
    await writeFile(file, generateMasterKey(), { mode: 0o600 });
  }
  const gatewayPorts = await ports(replicas.gateway);
  const providerPorts = await ports(replicas.provider);
  const provider = resources.adopt(await startBalancer(providerPorts), (balancer) =>
    balancer.close(),
  );
  const environment = {
    DATABASE_URL: database,
    AMQP_URL: broker.url,
    BUS_NAMESPACE: broker.namespace,
    BUS_ACCOUNTS: 'shared',
    MASTER_KEY_FILE: masterKeyFile,
    LAUNCH_KEY_FILE: launchKeyFile,
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    // Every process chooses a free port and logs it.
    MANAGEMENT_PORT: '0',
    PROVIDER_URL: provider.url,
    PROVIDER_CONTENT_URL: provider.url.replace(/localhost|127\.0\.0\.1/, '*.localhost'),
    PUBLIC_URL: `http://localhost:${gatewayPorts[0]}`,
    ...crawlSettings,
    ...highRequestLimits,
  };
  const processes = await Promise.all(
    Object.entries(replicas).flatMap(([app, count]) =>
      Array.from({ length: count }, async (_, place) => {
        const name = `${app}-${place + 1}`;
        const process = await SupervisedProcess.start(name, {
          entry: entryOf(version, app),
          environment: {
            ...environment,
            PORT: String(gatewayPorts[place]),
            PROVIDER_PORT: String(providerPorts[place]),
          },
          logFile: join(directory, `${name}.log`),
        });
        return resources.adopt(process, (each) => each.stop());
      }),
    ),
  );
  const runCli = (of: Version, ...words: string[]) =>
    run(process.execPath, [entryOf(of, 'cli'), ...words], {
      env: { ...programEnvironment(), ...environment },
    });
  const registrar = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await runCli(next, ...words, '--json')).stdout);
  await runCli(version, 'quickstart');
  const facts = await readFile(join(directory, 'quickstart.json'), 'utf8');
  return {
    form: 'distributed',
    facts: JSON.parse(facts) as Facts,
    baseUrls: gatewayPorts.map((port) => `http://localhost:${port}/api/v2`),
    processes,
    broker,
    postgres,
    next: {
      migrate: async () => {
        const migrated = migrateOutput.parse(await registrar('migrate'));
        return migrated.flatMap(({ migrations }) => migrations).length;
      },
      entryOf: (name) => entryOf(next, appOf(name)),
      previousEntryOf: (name) => entryOf(version, appOf(name)),
    },
    providerBalancer: provider,
    masterKey: {
      file: masterKeyFile,
      holders: ['identity', 'catalog', 'enrolment', 'crawler'],
      reseal: async () => resealOutput.parse(await registrar('master-key', 'reseal')).resealed,
    },
    rotation: { registrar },
    directory,
    databaseUrl: async () => database,
  };
}

async function startBroker(
  resources: AsyncDisposableStack,
  nodeCount: BrokerNodeCount,
): Promise<Broker> {
  if (nodeCount === 1) {
    const node = resources.adopt(await DedicatedBroker.start(), (broker) => broker.dispose());
    return { nodes: [node], url: node.url, namespace };
  }
  const { nodes, url } = resources.adopt(await BrokerCluster.start(), (each) => each.dispose());
  return { nodes, url, namespace };
}

/** The app of a process such as `gateway-1`. */
const appOf = (name: string): string => name.replace(/-\d+$/, '');

const ports = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()));
