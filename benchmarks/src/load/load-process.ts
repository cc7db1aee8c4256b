import { Agent, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Load, LoadResult, Outcome } from './load.ts';

/**
 * Load generator in a process of its own, so that its work does not slow down the system. Sends
 * requests with a number of clients that wait for each response (closed loop) or at a fixed rate
 * (open loop).
 */
const agents = new Map<string | undefined, Agent>();
/** A prefix of new learners. */
const run = Date.now().toString(36);
let sent = 0;

process.on('message', (load: Load) => {
  void generate(load).then((result) => process.send?.(result));
});
process.send?.('ready');

async function generate({ calls, seconds, offered, addresses = [] }: Load): Promise<LoadResult> {
  const outcomes: Record<Outcome, number[]> = { done: [], shed: [], failed: [] };
  const delay = monitorEventLoopDelay({ resolution: 2 });
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const firstOne = sent;
  delay.enable();
  const callNext = async () => {
    const call = calls[sent % calls.length];
    if (!call) return;
    sent += 1;
    const sentAt = performance.now();
    const body = call.body?.replace('LEARNER', `${run}-${sent}`) ?? null;
    const outcome = await ask(call.url, body, addresses[sent % addresses.length]);
    const answeredAt = performance.now();
    // A later response does not count as throughput of this period.
    if (answeredAt < end) outcomes[outcome].push(answeredAt - sentAt);
  };
  const underWay = new Set<Promise<void>>();
  if ('clients' in offered) {
    const client = async () => {
      while (performance.now() < end) await callNext();
    };
    await Promise.all(Array.from({ length: offered.clients }, client));
  } else {
    for (let now = begun; now < end; now = performance.now()) {
      const due = Math.floor(((now - begun) / 1_000) * offered.perSecond);
      while (sent - firstOne < due) {
        const call: Promise<void> = callNext().finally(() => underWay.delete(call));
        underWay.add(call);
      }
      await pause(1);
    }
    await Promise.all(underWay);
  }
  delay.disable();
  const { user, system } = process.cpuUsage(cpuBefore);
  const time = performance.now() - begun;
  return {
    sentPerSecond: ((sent - firstOne) * 1_000) / time,
    donePerSecond: outcomes.done.length / seconds,
    done: timesOf(outcomes.done),
    shed: timesOf(outcomes.shed),
    failed: timesOf(outcomes.failed),
    generator: { processors: (user + system) / 1_000 / time, delay: delay.percentile(99) / 1e6 },
  };
}

function timesOf(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  const longest = sorted.at(-1) ?? 0;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), p99: at(0.99), longest };
}

/** Sends GET, or POST with a form, from an address. */
function ask(url: string, body: string | null, localAddress?: string): Promise<Outcome> {
  const agent = agentAt(localAddress);
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const options = body === null ? { agent } : { agent, method: 'POST', headers };
    const outgoing = request(url, options, (response) => {
      const { statusCode = 0 } = response;
      response.on('end', () =>
        resolve(statusCode < 300 ? 'done' : statusCode === 503 ? 'shed' : 'failed'),
      );
      response.on('error', () => resolve('failed'));
      response.resume();
    });
    outgoing.on('error', () => resolve('failed'));
    outgoing.end(body ?? undefined);
  });
}

function agentAt(localAddress: string | undefined): Agent {
  const agent =
    agents.get(localAddress) ??
    new Agent({ keepAlive: true, maxSockets: Infinity, ...(localAddress && { localAddress }) });
  agents.set(localAddress, agent);
  return agent;
}
