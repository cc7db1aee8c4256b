import {
  busSocketPath,
  type BusTransport,
  inProcessTransport,
  rabbitMqTransport,
  serveBusSocket,
} from '@registrar/bus';
import { type Context } from '@registrar/contracts';
import { generateMasterKey, type Logger, Sealing } from '@registrar/platform';
import {
  type StubbedReply,
  deleteNamespace,
  startStubContext,
  type TestBusApp,
} from '@registrar/bus/testing';
import { testLogger } from '@registrar/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runRegistrar } from './registrar.ts';

/** What a command left behind. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as a process would, with standard input and settings of the suite's choice. */
export async function run(
  args: readonly string[],
  { stdin = '', environment = {} }: { stdin?: string; environment?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const stdout = collector();
  const stderr = collector();
  const code = await runRegistrar(args, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    environment,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** What a command with `--json` answered. @throws with its words when it failed */
export function answerOf({ code, stdout, stderr }: Ended): unknown {
  if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

function collector(): Writable & { text(): string } {
  const written: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(written).toString('utf8') });
}

export type OperatorFixture = Awaited<ReturnType<typeof startOperatorFixture>>;

/** How the command line reaches stubs of contexts. */
interface StubbedBus {
  readonly transport: BusTransport;
  readonly environment: Record<string, string>;
  stop(): Promise<void>;
}

/** In a namespace of their own at a broker, as in a distributed installation. */
function atBroker(brokerUrl: string, masterKeyFile: string, logger: Logger): StubbedBus {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  return {
    transport: rabbitMqTransport({ url: brokerUrl, namespace, logger, accounts: 'shared' }),
    environment: {
      AMQP_URL: brokerUrl,
      BUS_NAMESPACE: namespace,
      MASTER_KEY_FILE: masterKeyFile,
      BUS_ACCOUNTS: 'shared',
    },
    stop: () => deleteNamespace(brokerUrl, namespace),
  };
}

/** Through the socket in a data directory, as in the process of `npm start`. */
async function atSocket(dataDirectory: string): Promise<StubbedBus> {
  const transport = inProcessTransport();
  const socket = await serveBusSocket(busSocketPath(dataDirectory), transport);
  return {
    transport,
    environment: { DATA_DIR: dataDirectory },
    stop: () => socket.close(),
  };
}

/**
 * Stubs of contexts, and a directory for the operator's files.
 *
 * @param brokerUrl the broker that carries the requests; null for a socket in the directory
 */
export async function startOperatorFixture(
  brokerUrl: string | null,
  contexts: Partial<Record<Context, readonly StubbedReply[]>>,
) {
  const { logger } = testLogger('stand-ins');
  const directory = await mkdtemp(join(tmpdir(), 'operator-'));
  const masterKeyFile = join(directory, 'master.key');
  await writeFile(masterKeyFile, generateMasterKey());
  const bus = await (brokerUrl ? atBroker(brokerUrl, masterKeyFile, logger) : atSocket(directory));
  const { environment, transport } = bus;
  const apps: TestBusApp[] = [];
  for (const [context, answers] of Object.entries(contexts)) {
    apps.push(await startStubContext(context as Context, answers, { transport, logger }));
  }

  return {
    environment,
    sealing: Sealing.fromKeyFile(masterKeyFile),

    run: (args: readonly string[], stdin?: string): Promise<Ended> =>
      run(args, { environment, ...(stdin !== undefined && { stdin }) }),

    /** Writes a file and answers its path. */
    async file(name: string, text: string): Promise<string> {
      const path = join(directory, name);
      await writeFile(path, text);
      return path;
    },

    remove: (name: string): Promise<void> => rm(join(directory, name)),

    async stop(): Promise<void> {
      await Promise.all(apps.map((app) => app.stop()));
      await bus.stop();
      await rm(directory, { recursive: true });
    },
  };
}
