import { rabbitMqTransport } from '@registrar/bus';
import { type Context } from '@registrar/contracts';
import { generateMasterKey, Sealing } from '@registrar/platform';
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

/** Stand-ins of contexts on a namespace of their own, and a directory for the operator's files. */
export async function startOperatorFixture(
  brokerUrl: string,
  contexts: Partial<Record<Context, readonly StubbedReply[]>>,
) {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const { logger } = testLogger('stand-ins');
  const transport = rabbitMqTransport({ url: brokerUrl, namespace, logger });
  const apps: TestBusApp[] = [];
  for (const [context, answers] of Object.entries(contexts)) {
    apps.push(await startStubContext(context as Context, answers, { transport, logger }));
  }
  const directory = await mkdtemp(join(tmpdir(), 'operator-'));
  const masterKeyFile = join(directory, 'master.key');
  await writeFile(masterKeyFile, generateMasterKey());
  const environment = {
    AMQP_URL: brokerUrl,
    BUS_NAMESPACE: namespace,
    MASTER_KEY_FILE: masterKeyFile,
  };

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

    async stop(): Promise<void> {
      await Promise.all(apps.map((app) => app.stop()));
      await deleteNamespace(brokerUrl, namespace);
      await rm(directory, { recursive: true });
    },
  };
}
