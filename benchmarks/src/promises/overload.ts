import { startDistributedSystem } from '@registrar/standalone/testing';
import {
  managementUrls,
  DedicatedBroker,
  scrapeMetrics,
  highRequestLimits,
} from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { type Load, LoadGenerator, type LoadResult } from '../load/load.ts';
import { pinToProcessor, commandOf, descendantsOf } from '../system/processes.ts';
import { table } from '../table.ts';
import type { PromiseResult } from './report.ts';

/** Numbers of clients with which the peak is searched, and the duration of each in seconds. */
const clientCounts = [16, 32, 64, 96] as const;
const warmUpSeconds = 4;
const peakSeconds = 6;

/** The overload as a multiple of the peak, and its duration after connecting in seconds. */
const overloadFactor = 5;
const connectSeconds = 2;
const overloadSeconds = 15;

/** Pause after the overload in seconds. */
const restSeconds = 5;

/** Minimum useful throughput in relation to the peak (docs/reliability.md, promise 6). */
const minUsefulRatio = 0.9;
/** Minimum throughput afterwards in relation to the peak; below 1, because the tables have grown. */
const minRecoveredRatio = 0.8;
const maxShedMs = 50;
/** Maximum memory of a process during the overload in relation to its memory before. */
const maxGrowth = 1.5;

/**
 * Finds the peak throughput of the distributed system on this machine, offers five times as much and
 * measures useful throughput, load shedding and memory. Of ten requests, nine read and one creates a
 * registration.
 *
 * The gateway and the clients share one processor and all other processes another one, so that
 * shedding load does not slow down the processes that do the work.
 */
export async function measureOverload(say: (text: string) => void): Promise<PromiseResult[]> {
  const broker = await DedicatedBroker.start();
  const system = await startDistributedSystem(broker.url, {
    MANAGEMENT_PORT: '0',
    // All clients have the same address.
    MAX_CONNECTIONS_PER_ADDRESS: '4096',
    ...highRequestLimits,
  });
  const generator = await LoadGenerator.start();
  try {
    for (const pid of descendantsOf(process.pid)) {
      pinToProcessor(/\b(gateway|load-process)\b/.test(commandOf(pid)) ? 0 : 1, pid);
    }
    const apps = await managementUrls(system);
    const calls = mixOf(system.quickstart);
    const offer = async (name: string, load: Omit<Load, 'calls'>) => {
      const result = await generator.offer({ calls, ...load });
      say(lineOf(name, result));
      return result;
    };
    await generator.offer({ calls, seconds: warmUpSeconds, offered: { clients: clientCounts[0] } });
    const peaks: LoadResult[] = [];
    for (const clients of clientCounts) {
      peaks.push(await offer(`${clients} clients`, { seconds: peakSeconds, offered: { clients } }));
    }
    const peak = Math.max(...peaks.map(({ donePerSecond }) => donePerSecond));
    const before = await memoryOf(apps);
    const highest = new Map(before);
    const watching = new AbortController();
    const watched = watch(apps, highest, watching.signal);
    const offered = { perSecond: peak * overloadFactor };
    await offer(`${overloadFactor} times the peak, connecting`, {
      seconds: connectSeconds,
      offered,
    });
    const overload = await offer(`${overloadFactor} times the peak`, {
      seconds: overloadSeconds,
      offered,
    });
    watching.abort();
    await watched;
    await pause(restSeconds * 1_000);
    const after = await memoryOf(apps);
    const clients = clientCounts[peaks.findIndex(({ donePerSecond }) => donePerSecond === peak)];
    const best = { clients: clients ?? clientCounts[0] };
    const again = await offer(`${best.clients} clients again`, {
      seconds: peakSeconds,
      offered: best,
    });
    say(`\n${memoryTable(before, highest, after)}`);
    // The growing tables slow requests down, so the reference is the mean of the peak before and after.
    const useful = overload.donePerSecond / ((peak + again.donePerSecond) / 2);
    const grown = [...highest].map(([app, bytes]) => bytes / (before.get(app) ?? bytes));
    return [
      {
        promise: `useful throughput under ${overloadFactor} times the peak: ${minUsefulRatio} of the peak, before and after`,
        measured: useful.toFixed(2),
        kept: useful >= minUsefulRatio,
      },
      {
        promise: `load is shed within ${maxShedMs} ms (p99)`,
        measured: `${overload.shed.p99.toFixed(1)} ms`,
        kept: overload.shed.count > 0 && overload.shed.p99 <= maxShedMs,
      },
      {
        promise: `no process grows to more than ${maxGrowth} of its memory`,
        measured: Math.max(...grown).toFixed(2),
        kept: Math.max(...grown) <= maxGrowth,
      },
      {
        promise: `throughput after the overload: ${minRecoveredRatio} of the peak`,
        measured: (again.donePerSecond / peak).toFixed(2),
        kept: again.donePerSecond / peak >= minRecoveredRatio,
      },
    ];
  } finally {
    generator.stop();
    await system.dispose();
    await broker.dispose();
  }
}

/** Returns nine reading requests and one writing request. */
function mixOf(facts: Record<string, string>): Load['calls'] {
  const { base_url, realm_guid = '', realm_secret_key = '', course_guid = '' } = facts;
  const realm = { realm_guid, realm_secret_key };
  const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
  const reads = [
    `${base_url}/registration.json?${form({ ...realm, learner_id: 'nobody@example.com' })}`,
    `${base_url}/course.json?${form({ ...realm, course_guid })}`,
    `${base_url}/realm_user.json?${form({ ...realm, email: 'nobody@example.com' })}`,
  ];
  const create = form({ ...realm, course_guid, learner_id: 'LEARNER@example.com' });
  return [
    ...[...reads, ...reads, ...reads].map((url) => ({ url })),
    { url: `${base_url}/registration.json`, body: create },
  ];
}

type Memory = Map<string, number>;

async function memoryOf(apps: ReadonlyMap<string, string>): Promise<Memory> {
  const memory = new Map<string, number>();
  for (const [app, managementUrl] of apps) {
    const { value } = await scrapeMetrics({ managementUrl });
    memory.set(app, value('process_resident_memory_bytes') ?? NaN);
  }
  return memory;
}

async function watch(apps: ReadonlyMap<string, string>, highest: Memory, signal: AbortSignal) {
  while (!signal.aborted) {
    for (const [app, bytes] of await memoryOf(apps)) {
      highest.set(app, Math.max(bytes, highest.get(app) ?? 0));
    }
    await pause(1_000, undefined, { signal }).catch(() => undefined);
  }
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

function lineOf(name: string, { sentPerSecond, donePerSecond, ...result }: LoadResult): string {
  const { done, shed, failed, generator } = result;
  return (
    `${name}: ${sentPerSecond.toFixed(0)}/s offered, ${donePerSecond.toFixed(0)}/s done ` +
    `(median ${ms(done.median)}, 99 % ${ms(done.p99)}), ` +
    `${shed.count} shed (median ${ms(shed.median)}, 99 % ${ms(shed.p99)}), ${failed.count} failed; ` +
    `generator ${generator.processors.toFixed(2)} processors, late by ${ms(generator.delay)} (99 %)`
  );
}

function memoryTable(before: Memory, highest: Memory, after: Memory): string {
  const mb = (bytes: number | undefined) => `${((bytes ?? NaN) / 1e6).toFixed(0)} MB`;
  return table([
    ['resident memory', 'before', 'highest', 'after'],
    ...[...before].map(([app, bytes]) => [
      app,
      mb(bytes),
      mb(highest.get(app)),
      mb(after.get(app)),
    ]),
  ]);
}
