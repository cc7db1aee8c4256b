import { managementUrls, OwnBroker, scrapeMetrics, startDistributedSystem } from '#libs/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { type Load, LoadGenerator, type LoadResult } from './load.ts';
import { bindTo, commandOf, descendantsOf } from './processors.ts';
import { type Measured, table } from './report.ts';

/** How many clients look for the peak, one after the other, and for how long: seconds. */
const clientCounts = [16, 32, 64, 96] as const;
const warmUp = 4;
const peakTime = 6;

/** How many times the peak is offered, and for how long, once the clients have connected: seconds. */
const excess = 5;
const connectTime = 2;
const overloadTime = 15;

/** Seconds. */
const restTime = 5;

/** docs/reliability.md, promise 6. */
const usefulPart = 0.9;
/** It need not be as fast as with fewer data, and must not have broken. */
const recoveredPart = 0.8;
const shedWithin = 50;
/** What a process may grow by while it sheds, in part of what it had: its memory is bounded. */
const growth = 1.5;

/**
 * Finds the most that the distributed system answers on this machine, offers five times as much,
 * and tells what became of it. Of ten requests, nine read and one creates a registration.
 *
 * The gateway shares a processor with the clients, and all others share another one: as where each
 * has its own, what it costs to turn requests away is not taken from those that do the work.
 */
export async function measureOverload(say: (text: string) => void): Promise<Measured[]> {
  const broker = await OwnBroker.start();
  const system = await startDistributedSystem(broker.url, { MANAGEMENT_PORT: '0' });
  const generator = await LoadGenerator.start();
  try {
    for (const pid of descendantsOf(process.pid)) {
      bindTo(/\b(gateway|load-process)\b/.test(commandOf(pid)) ? 0 : 1, pid);
    }
    const apps = await managementUrls(system);
    const calls = mixOf(system.quickstart);
    const offer = async (name: string, load: Omit<Load, 'calls'>) => {
      const result = await generator.offer({ calls, ...load });
      say(lineOf(name, result));
      return result;
    };
    await generator.offer({ calls, seconds: warmUp, offered: { clients: clientCounts[0] } });
    const peaks: LoadResult[] = [];
    for (const clients of clientCounts) {
      peaks.push(await offer(`${clients} clients`, { seconds: peakTime, offered: { clients } }));
    }
    const peak = Math.max(...peaks.map(({ donePerSecond }) => donePerSecond));
    const before = await memoryOf(apps);
    const highest = new Map(before);
    const watching = new AbortController();
    const watched = watch(apps, highest, watching.signal);
    const offered = { perSecond: peak * excess };
    await offer(`${excess} times the peak, connecting`, { seconds: connectTime, offered });
    const overload = await offer(`${excess} times the peak`, { seconds: overloadTime, offered });
    watching.abort();
    await watched;
    await pause(restTime * 1_000);
    const after = await memoryOf(apps);
    const clients = clientCounts[peaks.findIndex(({ donePerSecond }) => donePerSecond === peak)];
    const best = { clients: clients ?? clientCounts[0] };
    const again = await offer(`${best.clients} clients again`, {
      seconds: peakTime,
      offered: best,
    });
    say(`\n${memoryTable(before, highest, after)}`);
    // The data grows all the while, and what follows gets slower: as much before as after.
    const useful = overload.donePerSecond / ((peak + again.donePerSecond) / 2);
    const grown = [...highest].map(([app, bytes]) => bytes / (before.get(app) ?? bytes));
    return [
      {
        promise: `useful throughput under ${excess} times the peak: ${usefulPart} of the peak, before and after`,
        seen: useful.toFixed(2),
        kept: useful >= usefulPart,
      },
      {
        promise: `shed within ${shedWithin} ms (99 %)`,
        seen: `${overload.shed.p99.toFixed(1)} ms`,
        kept: overload.shed.count > 0 && overload.shed.p99 <= shedWithin,
      },
      {
        promise: `no process grows to more than ${growth} of its memory`,
        seen: Math.max(...grown).toFixed(2),
        kept: Math.max(...grown) <= growth,
      },
      {
        promise: `throughput after it: ${recoveredPart} of the peak`,
        seen: (again.donePerSecond / peak).toFixed(2),
        kept: again.donePerSecond / peak >= recoveredPart,
      },
    ];
  } finally {
    generator.stop();
    await system.dispose();
    await broker.dispose();
  }
}

/** Nine requests that read and one that writes. */
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
