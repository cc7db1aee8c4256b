import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { deleteNamespace } from '@registrar/bus/testing';
import { removePostgresFiles } from '@registrar/persistence';
import { createTestDatabase, freePort, programEnvironment } from '@registrar/testing';

/** A whole installation, as a user would start it. */
export interface RunningSystem {
  /** The content of `quickstart.json`. */
  readonly quickstart: Readonly<Record<QuickstartKey, string>>;
  /** Our own course provider, as the suite and the installation reach it. */
  readonly providerUrl: string;
  /** The broker of the distributed form, as its administrator; null in standalone. */
  readonly brokerUrl: string | null;
  /** The namespace of the distributed form's bus; null in standalone. */
  readonly namespace: string | null;
  /** Where a system that the suite has started keeps its data; null for any other. */
  readonly dataDirectory: string | null;
  /** The database of a distributed form that the suite has started, as its superuser; null for any other. */
  readonly databaseUrl: string | null;
  /** The ids of the processes that the apps run in. */
  processes(): number[];
  /** Everything written to the log so far. */
  log(): Promise<string>;
}

/** One that the suite has started itself. */
export interface StartedSystem extends RunningSystem {
  readonly dataDirectory: string;
  /** Its console. */
  readonly consoleUrl: string;
  /** What it has printed so far. */
  printed(): string;
  /** Ends it as Ctrl-C would and answers the exit code. */
  interrupt(): Promise<number | null>;
  /** Ends it and removes what it left. */
  dispose(): Promise<void>;
}

type QuickstartKey =
  | 'base_url'
  | 'realm_guid'
  | 'realm_secret_key'
  | 'sc_app_id'
  | 'sc_secret_key'
  | 'course_guid';

/** Those of `npm start` in package.json. */
const nodeOptions = ['--max-semi-space-size=8'];

/** A built program. */
function built(path: string): string {
  return join(import.meta.dirname, '../../..', path);
}

/** `npm start`, on ports and data of its own. Pass `dataDirectory` to start again on kept data. */
export async function startStandaloneSystem(
  settings: Record<string, string> = {},
  dataDirectory?: string,
): Promise<StartedSystem> {
  const directory = dataDirectory ?? (await mkdtemp(join(tmpdir(), 'registrar-standalone-')));
  // As root, the database runs as another user and must get to its data.
  await chmod(directory, 0o711);
  return startSystem(built('standalone/dist/main.js'), directory, settings, {
    brokerUrl: null,
    log: () => readFile(join(directory, 'registrar.log'), 'utf8'),
    processes: (started) => [started],
    release: async () => undefined,
  });
}

/** `npm run start:distributed`, on a database and a bus namespace of its own. */
export async function startDistributedSystem(
  brokerUrl: string,
  settings: Record<string, string> = {},
): Promise<StartedSystem> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-distributed-'));
  const database = await createTestDatabase();
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const own = { DATABASE_URL: database.url, AMQP_URL: brokerUrl, BUS_NAMESPACE: namespace };
  return startSystem(
    built('standalone/dist/distributed.js'),
    directory,
    { ...own, ...settings },
    {
      brokerUrl,
      log: null,
      processes: childrenOf,
      release: async () => {
        await database.drop();
        await deleteNamespace(brokerUrl, namespace);
      },
    },
  );
}

async function startSystem(
  program: string,
  dataDirectory: string,
  settings: Record<string, string>,
  form: {
    brokerUrl: string | null;
    log: (() => Promise<string>) | null;
    processes: (started: number) => number[];
    release: () => Promise<void>;
  },
): Promise<StartedSystem> {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const child = spawn(process.execPath, [...nodeOptions, program], {
    // A relative path, as the default is one.
    cwd: dirname(dataDirectory),
    env: {
      ...programEnvironment(),
      // Replies and rows are checked against their schemas.
      NODE_ENV: 'test',
      DATA_DIR: basename(dataDirectory),
      PORT: String(ports[0]),
      PROVIDER_PORT: String(ports[1]),
      CONSOLE_PORT: String(ports[2]),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let said: () => void = () => undefined;
  const listen = (chunk: Buffer) => {
    output += chunk.toString('utf8');
    said();
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const interrupt = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
    return child.exitCode;
  };
  const readLog = form.log ?? (async () => logLinesOf(output));
  const dispose = async () => {
    await interrupt();
    const log = await readLog().catch(() => output);
    await form.release();
    await removePostgresFiles(join(dataDirectory, 'postgres'));
    await rm(dataDirectory, { recursive: true, force: true });
    refuseDefects(`${log}\n${output}`);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      said = () => {
        if (!output.includes('Registrar is ready.')) return;
        // A search copies what was printed so far, which becomes long under load.
        said = () => undefined;
        resolve();
      };
      child.once('exit', (code) => reject(new Error(`it ended with ${String(code)}:\n${output}`)));
    });
    const facts = await readFile(join(dataDirectory, 'quickstart.json'), 'utf8');
    return {
      quickstart: JSON.parse(facts) as RunningSystem['quickstart'],
      providerUrl: `http://localhost:${ports[1]}`,
      consoleUrl: `http://localhost:${ports[2]}`,
      dataDirectory,
      brokerUrl: form.brokerUrl,
      namespace: settings['BUS_NAMESPACE'] ?? null,
      databaseUrl: settings['DATABASE_URL'] ?? null,
      processes: () => form.processes(child.pid ?? 0),
      printed: () => output,
      log: readLog,
      interrupt,
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The log among what a program printed: a JSON object per line, without the words to its user. */
const logLinesOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .join('\n');

/** Fails the suite whose system had an uncaught exception or an unhandled rejection. */
function refuseDefects(log: string): void {
  // The message of `runProcess`, and that of Node in a program that does not use it.
  const defect = /a defect ends the process|Uncaught|UnhandledPromiseRejection|heap out of memory/;
  const found = log.split('\n').find((line) => defect.test(line));
  if (found) throw new Error(`a process of the system ended by itself: ${found}`);
}

/** The processes that `parent` started (proc(5), Linux). */
const childrenOf = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number);
