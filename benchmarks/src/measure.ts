import { setTimeout as pause } from 'node:timers/promises';

/** Durations in milliseconds. */
const warmUpMs = 100;
const measuredMs = 400;
const idleMs = 5;

const loneRequestCount = 200;

/** Returns the median of measurements. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Returns the calls per second of concurrent callers that repeat `call`. */
export async function throughput(callers: number, call: () => Promise<unknown>): Promise<number> {
  await callFor(warmUpMs, callers, call);
  const begun = performance.now();
  const calls = await callFor(measuredMs, callers, call);
  return (calls * 1_000) / (performance.now() - begun);
}

async function callFor(time: number, callers: number, call: () => Promise<unknown>) {
  const end = performance.now() + time;
  let calls = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return calls;
}

/** Measures the latency of single requests to an idle system in milliseconds. */
export async function loneLatency(
  call: () => Promise<unknown>,
): Promise<{ median: number; p99: number }> {
  const times: number[] = [];
  for (let request = 0; request < loneRequestCount; request += 1) {
    await pause(idleMs);
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
  return { median: median(times), p99 };
}
