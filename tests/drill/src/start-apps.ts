import type { Facts } from '@registrar/conformance';
import { generateMasterKey } from '@registrar/platform';
import { freePort, highRequestLimits, SupervisedProcess } from '@registrar/testing';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** In start order: an app starts after those that it sends requests to. */
const appNames = [
  'provider',
  'identity',
  'catalog',
  'crawler',
  'enrolment',
  'gateway',
  'console',
] as const;

const entryOf = (app: string): string =>
  fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url));

/** The distributed form, one process of each app; the provider has a database of its own, as a hosted one. */
export interface Apps {
  readonly baseUrl: string;
  /** Starts every app, and waits until all are ready. */
  start(): Promise<void>;
  /** Stops an app for good, or all of them. */
  stop(app?: (typeof appNames)[number]): Promise<void>;
  /** Runs the operator's command line, and returns what it prints as JSON. */
  registrar(...words: string[]): Promise<unknown>;
  /** The addresses and credentials of the demo realm. */
  facts(): Promise<Facts>;
}

/** Creates the keys and settings of the apps in a directory; starts nothing. */
export async function prepareApps(
  directory: string,
  stores: {
    readonly brokerUrl: string;
    readonly databaseUrl: string;
    readonly providerDatabaseUrl: string;
  },
): Promise<Apps> {
  const keys = { MASTER_KEY_FILE: 'master.key', LAUNCH_KEY_FILE: 'launch.key' };
  for (const name of Object.values(keys)) {
    await writeFile(join(directory, name), generateMasterKey(), { mode: 0o600 });
  }
  const [port, providerPort, consolePort] = [await freePort(), await freePort(), await freePort()];
  const environment = {
    AMQP_URL: stores.brokerUrl,
    BUS_NAMESPACE: 'drill',
    BUS_ACCOUNTS: 'shared',
    MASTER_KEY_FILE: join(directory, keys.MASTER_KEY_FILE),
    LAUNCH_KEY_FILE: join(directory, keys.LAUNCH_KEY_FILE),
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    PROVIDER_PORT: String(providerPort),
    PROVIDER_URL: `http://localhost:${providerPort}`,
    PROVIDER_CONTENT_URL: `http://*.localhost:${providerPort}`,
    CONSOLE_PORT: String(consolePort),
    // Frequent crawls, so that results arrive while the drill runs.
    CRAWL_INTERVAL_SECONDS: '1',
    CRAWL_RATE_PER_SECOND: '200',
    ...highRequestLimits,
  };
  const running = new Map<string, SupervisedProcess>();
  const start = async (app: string) => {
    const { databaseUrl, providerDatabaseUrl } = stores;
    const process = await SupervisedProcess.start(app, {
      entry: entryOf(app),
      environment: {
        ...environment,
        DATABASE_URL: app === 'provider' ? providerDatabaseUrl : databaseUrl,
      },
      logFile: join(directory, `${app}.log`),
    });
    running.set(app, process);
  };
  const registrar = async (...words: string[]): Promise<unknown> => {
    const env = { PATH: process.env['PATH'], ...environment };
    const maxBuffer = 64 * 1024 * 1024;
    const { stdout } = await run(process.execPath, [entryOf('cli'), ...words, '--json'], {
      env,
      maxBuffer,
    });
    return JSON.parse(stdout);
  };
  return {
    baseUrl: `http://localhost:${port}/api/v2`,
    registrar,
    start: async () => void (await Promise.all(appNames.map(start))),
    stop: async (app) => {
      const stopping = [...running].filter(([name]) => app === undefined || name === app);
      for (const [name] of stopping) running.delete(name);
      await Promise.all(stopping.map(([, process]) => process.stop()));
    },
    facts: async () => {
      await registrar('quickstart');
      return JSON.parse(await readFile(join(directory, 'quickstart.json'), 'utf8')) as Facts;
    },
  };
}
