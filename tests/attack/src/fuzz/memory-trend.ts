import { median } from '@registrar/benchmarks/measure';
import { residentMemory } from '../watch.ts';
import type { Target } from '../target.ts';

/** The fewest samples from which a trend is read: the first ones are of processes that warm up. */
const minSamples = 12;

/** How much more memory a process may use in the last quarter of a run than in the second. */
const allowed = { factor: 1.2, mb: 24 };

/** Tells whether processes use ever more memory: their resident memory, sampled while a run is at rest. */
export class MemoryTrend {
  readonly #samples = new Map<string, number[]>();

  async sample(target: Target): Promise<void> {
    for (const [name, mb] of await residentMemory(target)) {
      this.#samples.set(name, [...(this.#samples.get(name) ?? []), mb]);
    }
  }

  /** Returns the processes whose memory has grown; none in a run that is too short. */
  violations(): string[] {
    return [...this.#samples].flatMap(([name, samples]) => {
      if (samples.length < minSamples) return [];
      const { early, late } = quarters(samples);
      if (late <= early * allowed.factor + allowed.mb) return [];
      return [`${name} grew from ${early.toFixed(0)} to ${late.toFixed(0)} MiB`];
    });
  }

  /** One line: the memory of each process in the second and in the last quarter, in MiB. */
  report(): string {
    const all = [...this.#samples].map(([name, samples]) => {
      const { early, late } = quarters(samples);
      return `${name} ${early.toFixed(0)} → ${late.toFixed(0)}`;
    });
    return `  memory in the second and the last quarter, MiB: ${all.join(', ')}`;
  }
}

function quarters(samples: readonly number[]): { early: number; late: number } {
  const quarter = Math.ceil(samples.length / 4);
  return {
    early: median(samples.slice(quarter, 2 * quarter)),
    late: median(samples.slice(-quarter)),
  };
}
