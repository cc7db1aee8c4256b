import { setTimeout as pause } from 'node:timers/promises';
import type { FaultySystem, ObservedRequest } from './faulty-system.ts';
import type { PromiseResult } from './report.ts';

const callers = 16;

/** Duration of the load before the loss of the broker, and after the first error, in milliseconds. */
const loadDurationMs = 2_000;

/** Maximum time until an error in milliseconds (docs/reliability.md, promise 5). */
const errorWithinMs = 100;

/** Measures how soon callers get an error when the broker closes its connections or stops responding. */
export async function measureBrokerLoss(
  system: FaultySystem,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const cut = await loseBroker(system, () => system.broker.cut());
  const silent = await loseBroker(system, () => system.broker.blackHole());
  say(`broker disconnected:  ${lineOf(cut)}`);
  say(`broker not responding:  ${lineOf(silent)}`);
  return [
    errorPromise('a caller after the disconnection of the broker', [...cut.underWay, ...cut.later]),
    errorPromise('a caller whose broker does not respond, once that is detected', silent.later),
  ];
}

/** Waiting times of callers that got 503 after the loss of the broker, in milliseconds. */
interface BrokerLoss {
  /** From the loss to the first error. */
  readonly noticed: number;
  /** Of requests that were pending at the first error, measured from the loss. */
  readonly underWay: readonly number[];
  /** Of requests that were sent later. */
  readonly later: readonly number[];
  readonly others: number;
}

async function loseBroker(system: FaultySystem, away: () => void): Promise<BrokerLoss> {
  const seen: ObservedRequest[] = [];
  const over = new AbortController();
  const first = Promise.withResolvers<number>();
  const caller = async () => {
    while (!over.signal.aborted) {
      const one = await system.send('course');
      seen.push(one);
      if (one.status !== 200) first.resolve(one.ended);
    }
  };
  await system.waitForRecovery();
  const all = Promise.all(Array.from({ length: callers }, caller));
  await pause(loadDurationMs);
  const gone = performance.now();
  away();
  const noticedAt = await first.promise;
  await pause(loadDurationMs);
  over.abort();
  await all;
  system.broker.restore();
  await system.waitForRecovery();
  const after = seen.filter(({ ended }) => ended > gone);
  const refused = after.filter(({ status }) => status === 503);
  const isLater = ({ begun }: ObservedRequest) => begun >= noticedAt;
  return {
    noticed: noticedAt - gone,
    underWay: refused.filter((one) => !isLater(one)).map(({ ended }) => ended - gone),
    later: refused.filter(isLater).map(({ begun, ended }) => ended - begun),
    others: after.filter(({ status, begun }) => status !== 503 && begun >= gone).length,
  };
}

const longest = (times: readonly number[]) => `${Math.max(0, ...times).toFixed(1)} ms`;

const lineOf = ({ noticed, underWay, later, others }: BrokerLoss) =>
  `first 503 after ${noticed.toFixed(1)} ms; ${underWay.length} pending failed after ` +
  `${longest(underWay)} at most, ${later.length} later failed after ${longest(later)} at most; ` +
  `${others} other results`;

const errorPromise = (who: string, times: readonly number[]): PromiseResult => ({
  promise: `${who} gets an error within ${errorWithinMs} ms`,
  measured: longest(times),
  kept: times.length > 0 && Math.max(...times) <= errorWithinMs,
});
