import { setTimeout as pause } from 'node:timers/promises';
import type { FaultySystem, Seen } from './faulty-system.ts';
import type { Measured } from './report.ts';

const callers = 16;

/** How long callers go on before the broker goes, and after the first has noticed: milliseconds. */
const goOn = 2_000;

/** docs/reliability.md, promise 5: milliseconds. */
const toldWithin = 100;

/** How soon callers are told that the broker is gone: it closed its connections, or says nothing. */
export async function measureLostBroker(
  system: FaultySystem,
  say: (text: string) => void,
): Promise<Measured[]> {
  const cut = await lose(system, () => system.broker.cut());
  const silent = await lose(system, () => system.broker.blackHole());
  say(`broker cut off: ${lineOf(cut)}`);
  say(`broker silent: ${lineOf(silent)}`);
  return [
    told('a caller whose broker is cut off', [...cut.underWay, ...cut.later]),
    told('a caller whose broker is silent, once that is noticed', silent.later),
  ];
}

/** How long callers waited from when the broker had gone: milliseconds; all were told 503. */
interface Loss {
  /** From the loss to the first that was told. */
  readonly noticed: number;
  /** Those that were under way when the loss was noticed, from the loss on. */
  readonly underWay: readonly number[];
  /** Those that asked later. */
  readonly later: readonly number[];
  readonly others: number;
}

async function lose(system: FaultySystem, away: () => void): Promise<Loss> {
  const seen: Seen[] = [];
  const over = new AbortController();
  const first = Promise.withResolvers<number>();
  const caller = async () => {
    while (!over.signal.aborted) {
      const one = await system.ask('course');
      seen.push(one);
      if (one.status !== 200) first.resolve(one.ended);
    }
  };
  await system.recovered();
  const all = Promise.all(Array.from({ length: callers }, caller));
  await pause(goOn);
  const gone = performance.now();
  away();
  const noticedAt = await first.promise;
  await pause(goOn);
  over.abort();
  await all;
  system.broker.restore();
  await system.recovered();
  const after = seen.filter(({ ended }) => ended > gone);
  const refused = after.filter(({ status }) => status === 503);
  const isLater = ({ begun }: Seen) => begun >= noticedAt;
  return {
    noticed: noticedAt - gone,
    underWay: refused.filter((one) => !isLater(one)).map(({ ended }) => ended - gone),
    later: refused.filter(isLater).map(({ begun, ended }) => ended - begun),
    others: after.filter(({ status, begun }) => status !== 503 && begun >= gone).length,
  };
}

const longest = (times: readonly number[]) => `${Math.max(0, ...times).toFixed(1)} ms`;

const lineOf = ({ noticed, underWay, later, others }: Loss) =>
  `first 503 after ${noticed.toFixed(1)} ms; ${underWay.length} under way told after ` +
  `${longest(underWay)} at most, ${later.length} later ones after ${longest(later)} at most; ` +
  `${others} answered otherwise`;

const told = (who: string, times: readonly number[]): Measured => ({
  promise: `${who} is told within ${toldWithin} ms`,
  seen: longest(times),
  kept: times.length > 0 && Math.max(...times) <= toldWithin,
});
