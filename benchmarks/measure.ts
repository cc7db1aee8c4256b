import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds. */
const warmUpTime = 500;
const measuredTime = 2_000;
const idleTime = 5;

const loneRequests = 200;

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
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
  return { median: at(0.5), p99: at(0.99) };
}
