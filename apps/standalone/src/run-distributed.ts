import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join, resolve } from 'node:path';
import { type AppName, apps, entryOf, environmentOf, runProcess } from '@registrar/bootstrap';
import {
  brokerSettings,
  commonSettings,
  createLogger,
  databaseSettings,
  managementPortAt,
  portSetting,
  prettyLog,
  readSettings,
} from '@registrar/platform';
import { readQuickstart } from '@registrar/quickstart';
import * as z from 'zod';
import { keptKey } from './kept-key.ts';
import { requireFreePorts } from './require-free-ports.ts';
import { consoleSwitch } from './settings.ts';
import { welcome } from './welcome.ts';

const settings = commonSettings
  .extend({ ...brokerSettings.shape, ...databaseSettings.shape })
  .extend({
    DATA_DIR: z.string().default('var/distributed'),
    PORT: portSetting.default(8080),
    API_ROOT: z.string().default('/api/v2'),
    PROVIDER_PORT: portSetting.default(8090),
    CONSOLE_PORT: portSetting.default(8070),
    CONSOLE: consoleSwitch,
  });

/**
 * A bounded young generation, as in the image: with 4 MB a fifth of an app's time was garbage
 * collection, and long lists make no process larger with 16 (tests/e2e/src/long-lists.ts).
 */
const nodeOptions = ['--max-semi-space-size=16'];

/**
 * Runs the apps of this checkout as a process each, over the RabbitMQ of `AMQP_URL` and the
 * PostgreSQL of `DATABASE_URL`, and prepares a quickstart. For development and for suites; an
 * installation runs the same apps from docker-compose.yml or k8s/. `CONSOLE=off` leaves the console out. `IDENTITY_DATABASE_URL` is
 * identity's own `DATABASE_URL`, and so for every app, and for `AMQP_URL`. Without
 * addresses of their own, all apps share the account of `AMQP_URL`.
 */
export const runDistributed = (): Promise<void> =>
  runProcess(
    async () => {
      const given = readSettings(settings);
      const { PORT, PROVIDER_PORT, CONSOLE_PORT } = given;
      const hasConsole = given.CONSOLE === 'on';
      await requireFreePorts({ PORT, PROVIDER_PORT, ...(hasConsole && { CONSOLE_PORT }) });
      const dataDirectory = resolve(given.DATA_DIR);
      const masterKeyFile = await keptKey(dataDirectory, 'master.key');
      const launchKeyFile = await keptKey(dataDirectory, 'launch.key');
      const providerUrl = `http://localhost:${given.PROVIDER_PORT}`;
      const environment = {
        BUS_ACCOUNTS: apps.some((app) => process.env[`${app.toUpperCase()}_AMQP_URL`])
          ? 'per-app'
          : 'shared',
        PROVIDER_POSTBACK_ORIGINS: `http://localhost:${given.PORT}`,
        POSTBACK_URL: `http://localhost:${given.PORT}`,
        ...process.env,
        MASTER_KEY_FILE: masterKeyFile,
        LAUNCH_KEY_FILE: launchKeyFile,
        DATA_DIR: dataDirectory,
        PUBLIC_URL: `http://localhost:${given.PORT}`,
        PROVIDER_URL: providerUrl,
      };
      const children: ChildProcess[] = [];
      let signInLink: string | null = null;
      let stopping = false;
      const stop = async () => {
        stopping = true;
        const alive = children.filter((child) => child.exitCode === null);
        const ended = alive.map((child) => once(child, 'exit'));
        for (const child of alive) child.kill('SIGTERM');
        await Promise.all(ended);
      };
      const start = async (app: AppName, place: number) => {
        const managementPort = managementPortAt(given.MANAGEMENT_PORT, place);
        const own = { ...environment, MANAGEMENT_PORT: managementPort?.toString() };
        const env = environmentOf(app, own);
        const child = fork(entryOf(app), { env, execArgv: nodeOptions });
        children.push(child);
        const ended = once(child, 'exit').then(([code]) => {
          throw new Error(`${app} ended with exit code ${String(code)}`);
        });
        await Promise.race([once(child, 'message'), ended]);
        ended.catch((error: Error) => {
          if (stopping) return;
          process.stderr.write(`${error.message}; stopping the others\n`);
          process.kill(process.pid, 'SIGTERM');
        });
      };
      try {
        await Promise.all([...apps, ...(hasConsole ? (['console'] as const) : [])].map(start));
        await runOperator(environment);
        if (hasConsole) signInLink = await readSignInLink(environment);
      } catch (error) {
        await stop();
        throw error;
      }
      const quickstartFile = join(dataDirectory, 'quickstart.json');
      const facts = await readQuickstart(quickstartFile);
      if (facts) {
        const where = {
          providerUrl,
          signInLink,
          dataDirectory,
          log: 'standard output',
          quickstartFile,
          notices: [],
        };
        process.stdout.write(welcome(facts, where));
      }
      return { stop };
    },
    createLogger('distributed', 'warn', prettyLog()),
  );

async function runOperator(environment: NodeJS.ProcessEnv): Promise<void> {
  const operator = fork(entryOf('cli'), ['quickstart'], {
    env: environmentOf('operator', environment),
  });
  const [code] = (await once(operator, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the quickstart could not be prepared');
}

/** The link that the console's program prints. */
async function readSignInLink(environment: NodeJS.ProcessEnv): Promise<string> {
  const child = fork(entryOf('console'), ['sign-in-link'], {
    env: environmentOf('console', environment),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [printed] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error('the link to the console could not be made');
  return printed.trim();
}
