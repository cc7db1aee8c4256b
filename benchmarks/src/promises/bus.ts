import { type StartedApp, startApp } from '@registrar/bootstrap';
import {
  BusClient,
  type BusTransport,
  defaultRequestTimeoutMs,
  inProcessTransport,
  rabbitMqTransport,
} from '@registrar/bus';
import { createLogger, runInRequestContext } from '@registrar/platform';
import { deleteNamespace } from '@registrar/bus/testing';
import { Module } from '@nestjs/common';
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BenchmarkHandlers, courseCount, echo, findTitle, startServerApp } from './server-app.ts';
import type { Stores } from '../scenario.ts';
import { loneLatency, median, throughput } from '../measure.ts';

/** Numbers of concurrent callers. */
export const callerCounts = [1, 32] as const;

/** Number of measurements; the median counts. */
const rounds = 5;

/** The results of one call path. */
export interface CallPathResult {
  readonly path: string;
  /** Calls per second and the ratio to the baseline, for each of {@link callerCounts}. */
  readonly throughput: readonly { readonly perSecond: number; readonly ratio: number }[];
  /** Latency of a single request in milliseconds. */
  readonly latency: { readonly median: number; readonly p99: number };
}

/** The results of all call paths with one workload; the first path is the baseline. */
export interface WorkloadResult {
  readonly workload: string;
  readonly paths: readonly CallPathResult[];
}

interface CallPath {
  readonly name: string;
  echo(text: string): Promise<unknown>;
  findTitle(courseId: number): Promise<unknown>;
}

const logger = createLogger('benchmark', 'error');

/**
 * Compares the call paths to the same handlers: as functions, over the in-process bus, and over
 * RabbitMQ with the handlers in a process of their own.
 */
export async function measureBus({ databaseUrl, brokerUrl }: Stores): Promise<WorkloadResult[]> {
  const namespace = `benchmark-${randomBytes(4).toString('hex')}`;
  const local = inProcessTransport();
  const remote = rabbitMqTransport({ url: brokerUrl, namespace, logger, accounts: 'shared' });
  const answering = await startServerApp(databaseUrl, { transport: local, logger });
  const settings = {
    DATABASE_URL: databaseUrl,
    AMQP_URL: brokerUrl,
    BUS_NAMESPACE: namespace,
    BUS_ACCOUNTS: 'shared',
  };
  const elsewhere = await startServerProcess(settings);
  const callers = await Promise.all([startCaller(local), startCaller(remote)]);
  const [inProcess, overRabbitMq] = callers.map((caller) => caller.get(BusClient));
  const ways = [
    functionCalls(answering.get(BenchmarkHandlers)),
    busCalls('in-process bus', inProcess!),
    busCalls('RabbitMQ', overRabbitMq!),
  ];
  try {
    return [
      await measureWorkload('no work', ways, (way) => () => way.echo('Hello')),
      await measureWorkload('one query', ways, (way) => () => way.findTitle(anyCourse())),
    ];
  } finally {
    for (const caller of callers) await caller.stop();
    await answering.stop();
    elsewhere.kill('SIGTERM');
    await once(elsewhere, 'exit');
    await deleteNamespace(brokerUrl, namespace);
  }
}

const anyCourse = () => 1 + Math.floor(Math.random() * courseCount);

/** Calls the functions directly, with the deadline that a request has over a bus. */
const functionCalls = (answers: BenchmarkHandlers): CallPath => ({
  name: 'function call',
  echo: (text) => withDeadline(() => answers.echo({ text })),
  findTitle: (courseId) => withDeadline(() => answers.findTitle({ courseId })),
});

const withDeadline = <T>(call: () => Promise<T>): Promise<T> =>
  runInRequestContext(
    { requestId: 'benchmark', deadline: Date.now() + defaultRequestTimeoutMs },
    call,
  );

const busCalls = (name: string, bus: BusClient): CallPath => ({
  name,
  echo: (text) => bus.request(echo, { text }),
  findTitle: (courseId) => bus.request(findTitle, { courseId }),
});

function startCaller(transport: BusTransport): Promise<StartedApp> {
  class Caller {}
  Module({})(Caller);
  return startApp({ name: 'gateway', module: Caller, transport, logger });
}

async function startServerProcess(settings: Record<string, string>): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./server-process.js', import.meta.url));
  const child = fork(program, {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...settings },
    // The standard output of the process is not needed.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** Measures all call paths in turn, so that other load of the machine affects them alike. */
async function measureWorkload(
  work: string,
  ways: readonly CallPath[],
  callOf: (way: CallPath) => () => Promise<unknown>,
): Promise<WorkloadResult> {
  const reached = ways.map(() => callerCounts.map((): number[] => []));
  for (let round = 0; round < rounds; round += 1) {
    for (const [column, callers] of callerCounts.entries()) {
      for (const [row, way] of ways.entries()) {
        reached[row]?.[column]?.push(await throughput(callers, callOf(way)));
      }
    }
  }
  const results: CallPathResult[] = [];
  for (const [row, way] of ways.entries()) {
    const columns = (reached[row] ?? []).map((perSecond, column) => ({
      perSecond: median(perSecond),
      ratio: median(perSecond.map((each, round) => each / (reached[0]?.[column]?.[round] ?? NaN))),
    }));
    const latency = await loneLatency(callOf(way));
    results.push({ path: way.name, throughput: columns, latency });
  }
  return { workload: work, paths: results };
}
