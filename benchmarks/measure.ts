import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds. */
const warmUpTime = 100;
const measuredTime = 400;
const idleTime = 5;

const loneRequests = 200;

/** The middle one of several measurements. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Calls `call` from so many callers at once, each again and again: calls in a second. */
export async function throughput(callers: number, call: () => Promise<unknown>): Promise<number> {
  await callFor(warmUpTime, callers, call);
  const begun = performance.now();
  const calls = await callFor(measuredTime, callers, call);
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

/** How long a request takes that comes to a system at rest: milliseconds. */
export async function loneLatency(
  call: () => Promise<unknown>,
): Promise<{ median: number; p99: number }> {
  const times: number[] = [];
  for (let request = 0; request < loneRequests; request += 1) {
    await pause(idleTime);
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
  return { median: median(times), p99 };
}
