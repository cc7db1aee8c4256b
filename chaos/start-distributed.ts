import { OwnBroker, OwnPostgres, SupervisedProcess } from '#libs/testing';
import { freePort } from '#libs/testing';
import { generateMasterKey } from '#libs/platform';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Facts } from '../conformance/installation.ts';
import { startBalancer } from './balancer.ts';
import { crawling, type System } from './system.ts';
import { entryOf, makeNextVersion, thisVersion, type Version } from './version.ts';

/** Every app, after those that it asks, and how many replicas of it run. */
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
const resealed = z.object({ resealed: z.number() });
const migrated = z.array(z.object({ migrations: z.array(z.string()) }));

/**
 * Every app in processes of its own, on a broker and a PostgreSQL of the run's own.
 *
 * @param earlier the version to begin with, which this one is to replace; without it, one that is
 *   made for the run is to replace this one
 * @param remains gets all that is to be ended, also when the start fails
 */
export async function startDistributed(
  remains: AsyncDisposableStack,
  earlier?: Version,
): Promise<System> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-chaos-'));
  const [version, next] = earlier
    ? [earlier, thisVersion]
    : [thisVersion, await makeNextVersion(directory)];
  const node = remains.adopt(await OwnBroker.start(), (broker) => broker.dispose());
  const postgres = remains.adopt(await OwnPostgres.start(), (server) => server.dispose());
  const masterKeyFile = join(directory, 'master.key');
  await writeFile(masterKeyFile, generateMasterKey(), { mode: 0o600 });
  const gatewayPorts = await ports(replicas.gateway);
  const providerPorts = await ports(replicas.provider);
  const provider = remains.adopt(await startBalancer(providerPorts), (way) => way.close());
  const environment = {
    DATABASE_URL: postgres.url,
    AMQP_URL: node.url,
    BUS_NAMESPACE: namespace,
    MASTER_KEY_FILE: masterKeyFile,
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    PROVIDER_URL: provider.url,
    PROVIDER_PUBLIC_URL: provider.url,
    PUBLIC_URL: `http://localhost:${gatewayPorts[0]}`,
    ...crawling,
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
        return remains.adopt(process, (each) => each.stop());
      }),
    ),
  );
  const operate = (by: Version, ...words: string[]) =>
    run(process.execPath, [entryOf(by, 'operator'), ...words], {
      env: { PATH: process.env['PATH'], ...environment },
    });
  await operate(version, 'quickstart');
  const facts = await readFile(join(directory, 'quickstart.json'), 'utf8');
  return {
    form: 'distributed',
    facts: JSON.parse(facts) as Facts,
    baseUrls: gatewayPorts.map((port) => `http://localhost:${port}/api/v2`),
    processes,
    broker: { node, namespace },
    postgres,
    next: {
      migrate: async () => {
        const { stdout } = await operate(next, 'migrate', '--json');
        return migrated.parse(JSON.parse(stdout)).flatMap(({ migrations }) => migrations).length;
      },
      entryOf: (name) => entryOf(next, name.replace(/-\d+$/, '')),
      balancer: provider,
    },
    masterKey: {
      file: masterKeyFile,
      holders: ['identity', 'catalog', 'enrolment', 'crawler'],
      reseal: async () => {
        const { stdout } = await operate(next, 'master-key', 'reseal', '--json');
        return resealed.parse(JSON.parse(stdout)).resealed;
      },
    },
    directory,
    databaseUrl: async () => postgres.url,
  };
}

const ports = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()));
