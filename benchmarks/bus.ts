import {
  type BusApp,
  BusClient,
  type BusTransport,
  defaultRequestTime,
  inProcessTransport,
  rabbitMqTransport,
  startApp,
} from '#libs/bus';
import { createLogger, runOperation } from '#libs/platform';
import { deleteNamespace } from '#libs/testing';
import { Module } from '@nestjs/common';
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Answers, courseCount, echo, findTitle, startAnsweringApp } from './answering-app.ts';
import type { Stores } from './main.ts';
import { loneLatency, median, throughput } from './measure.ts';

/** How many callers ask at the same time. */
export const callerCounts = [1, 32] as const;

/** How often all of it is measured; the middle result counts. */
const rounds = 5;

/** What one way of calling the handlers reached. */
export interface WayResult {
  readonly way: string;
  /** For each of {@link callerCounts}: calls in a second, and the ratio to the baseline's. */
  readonly throughput: readonly { readonly perSecond: number; readonly ratio: number }[];
  /** Of a lone request: milliseconds. */
  readonly latency: { readonly median: number; readonly p99: number };
}

/** What all ways reached with one kind of work; the first is the baseline. */
export interface WorkResult {
  readonly work: string;
  readonly ways: readonly WayResult[];
}

interface Way {
  readonly name: string;
  echo(text: string): Promise<unknown>;
  findTitle(courseId: number): Promise<unknown>;
}

const logger = createLogger('benchmark', 'error');

/**
 * Compares the ways to call the same handlers: as functions, over the in-process bus, and over
 * RabbitMQ with the handlers in a process of their own.
 */
export async function measureBus({ databaseUrl, brokerUrl }: Stores): Promise<WorkResult[]> {
  const namespace = `benchmark-${randomBytes(4).toString('hex')}`;
  const local = inProcessTransport();
  const remote = rabbitMqTransport({ url: brokerUrl, namespace, logger });
  const answering = await startAnsweringApp(databaseUrl, { transport: local, logger });
  const settings = { DATABASE_URL: databaseUrl, AMQP_URL: brokerUrl, BUS_NAMESPACE: namespace };
  const elsewhere = await startAnsweringProcess(settings);
  const callers = await Promise.all([startCaller(local), startCaller(remote)]);
  const [inProcess, overRabbitMq] = callers.map((caller) => caller.get(BusClient));
  const ways = [
    functionCalls(answering.get(Answers)),
    busCalls('in-process bus', inProcess!),
    busCalls('RabbitMQ', overRabbitMq!),
  ];
  try {
    return [
      await measureWork('no work', ways, (way) => () => way.echo('Hello')),
      await measureWork('one query', ways, (way) => () => way.findTitle(anyCourse())),
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

/** With no bus at all, but with the deadline that a request has over a bus. */
const functionCalls = (answers: Answers): Way => ({
  name: 'function call',
  echo: (text) => asOperation(() => answers.echo({ text })),
  findTitle: (courseId) => asOperation(() => answers.findTitle({ courseId })),
});

const asOperation = <T>(call: () => Promise<T>): Promise<T> =>
  runOperation({ requestId: 'benchmark', deadline: Date.now() + defaultRequestTime }, call);

const busCalls = (name: string, bus: BusClient): Way => ({
  name,
  echo: (text) => bus.request(echo, { text }),
  findTitle: (courseId) => bus.request(findTitle, { courseId }),
});

function startCaller(transport: BusTransport): Promise<BusApp> {
  class Caller {}
  Module({})(Caller);
  return startApp({ name: 'caller', module: Caller, transport, logger });
}

async function startAnsweringProcess(settings: Record<string, string>): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./answering-process.js', import.meta.url));
  const child = fork(program, {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...settings },
    // Its own standard output is of no interest here.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** All ways take turns, so that what else the machine does in a round concerns them all alike. */
async function measureWork(
  work: string,
  ways: readonly Way[],
  callOf: (way: Way) => () => Promise<unknown>,
): Promise<WorkResult> {
  const reached = ways.map(() => callerCounts.map((): number[] => []));
  for (let round = 0; round < rounds; round += 1) {
    for (const [column, callers] of callerCounts.entries()) {
      for (const [row, way] of ways.entries()) {
        reached[row]?.[column]?.push(await throughput(callers, callOf(way)));
      }
    }
  }
  const results: WayResult[] = [];
  for (const [row, way] of ways.entries()) {
    const columns = (reached[row] ?? []).map((perSecond, column) => ({
      perSecond: median(perSecond),
      ratio: median(perSecond.map((each, round) => each / (reached[0]?.[column]?.[round] ?? NaN))),
    }));
    const latency = await loneLatency(callOf(way));
    results.push({ way: way.name, throughput: columns, latency });
  }
  return { work, ways: results };
}
