import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BystanderCommand } from './bystander-process.ts';
import type { Target } from './target.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** One request of the bystander. A status of 0 means that there was no response. */
export interface Observed {
  readonly status: number;
  readonly ms: number;
  /** When it was due, from the beginning of the observation. */
  readonly atMs: number;
}

/** Requests per second, unless they keep more than {@link maxBusyShare} of the processors busy. */
const usualPerSecond = 40;

/** On a machine that is slower, or as busy with other work, a bystander sees too little. */
const minPerSecond = 10;

/**
 * How busy a bystander keeps the processors at most. It is one realm of many: a realm that takes half of a small machine
 * alone would wait twice as long beside any other work that its own share leaves room for.
 */
const maxBusyShare = 0.25;

/** How long a bystander warms up, and is then measured: seconds. */
const warmUpSeconds = 5;

/** A realm that uses the system as usual while another client attacks, by a process of its own. */
export class Bystander {
  #perSecond = usualPerSecond;

  private constructor(
    private readonly child: ChildProcess,
    readonly tenant: Tenant,
  ) {}

  static async start({ baseUrls }: Target, tenant: Tenant): Promise<Bystander> {
    const program = fileURLToPath(new URL('./bystander-process.js', import.meta.url));
    const bystander = new Bystander(fork(program), tenant);
    await bystander.#command({ begin: { baseUrls, tenant } });
    await bystander.observe(warmUpSeconds);
    const busy = await busyShareDuring(() => bystander.observe(warmUpSeconds));
    bystander.#perSecond = usualPerSecond * Math.min(1, maxBusyShare / busy);
    if (!(bystander.#perSecond >= minPerSecond)) {
      throw new Error(`${usualPerSecond} requests a second keep ${busy} of the processors busy`);
    }
    process.stdout.write(
      `  the bystander sends ${bystander.#perSecond.toFixed(0)} requests a second: at ${usualPerSecond}, ${(busy * 100).toFixed(0)} % of the processors were busy\n`,
    );
    return bystander;
  }

  /** How many times longer a round is than at the usual rate, for the same number of requests. */
  get roundFactor(): number {
    return usualPerSecond / this.#perSecond;
  }

  /** Keeps connections for further requests from now on, as it does at first, or opens one for each. */
  async setKeepAlive(keepAlive: boolean): Promise<void> {
    await this.#command({ keepAlive });
  }

  /** Sends its requests for so long, and returns what it saw when all have been answered. */
  observe(seconds: number): Promise<readonly Observed[]> {
    return this.#command({ observe: { seconds, perSecond: this.#perSecond } });
  }

  async #command(command: BystanderCommand): Promise<readonly Observed[]> {
    const ended = new AbortController();
    const answered = once(this.child, 'message', ended);
    const exited = once(this.child, 'exit', ended).then(() => {
      throw new Error('the process of the bystander ended');
    });
    this.child.send(command);
    try {
      const [observed] = (await Promise.race([answered, exited])) as [readonly Observed[]];
      return observed;
    } finally {
      ended.abort();
    }
  }
}

const bystanders = new WeakMap<Target, Promise<Bystander>>();

/** The bystander of a target, which all attacks share. */
export function bystanderOf(target: Target): Promise<Bystander> {
  const bystander =
    bystanders.get(target) ??
    createTenant(target, 'bystander').then((tenant) => Bystander.start(target, tenant));
  bystanders.set(target, bystander);
  return bystander;
}

export const isSuccess = ({ status }: Observed): boolean => status >= 200 && status < 400;

/** The 95th percentile of the latencies of successful requests in milliseconds. */
export function p95(observed: readonly Observed[]): number {
  const sorted = observed
    .filter(isSuccess)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}

/** The share of all processors' time that is not idle while work is done. */
async function busyShareDuring(work: () => Promise<unknown>): Promise<number> {
  const before = processorTimes();
  await work();
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((each) => each.times);
  const all = times.flatMap(({ user, nice, sys, idle, irq }) => [user, nice, sys, idle, irq]);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: all.reduce((sum, each) => sum + each, 0),
  };
}
