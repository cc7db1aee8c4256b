import { cpus } from 'node:os';
import { type CompareResult, relationOf } from './results.ts';

/** A ratio that fell by more than this part counts as a regression. */
const maxFall = 0.15;

/** The figures of a run, as `--json` writes them. */
export interface Figures {
  readonly at: string;
  readonly node: string;
  readonly processors: string;
  readonly results: readonly CompareResult[];
}

export const figuresOf = (results: readonly CompareResult[]): Figures => ({
  at: new Date().toISOString(),
  node: process.version,
  processors: `${cpus().length} × ${cpus()[0]?.model ?? ''}`,
  results,
});

/**
 * Returns a line for each ratio to a baseline that is lower than in an earlier run by more than 15 %: of the rates,
 * and of the processor time that the baseline takes in relation to the system's.
 */
export const fallenRatios = (earlier: Figures, now: Figures): string[] => {
  const before = ratiosOf(earlier);
  return [...ratiosOf(now)].flatMap(([name, ratio]) => {
    const reference = before.get(name);
    if (reference === undefined || ratio >= reference * (1 - maxFall)) return [];
    return [`FELL ${name}: ${ratio.toFixed(3)}, before ${reference.toFixed(3)}`];
  });
};

/** The ratios that are better when they are higher, by scenario, baseline and figure. */
function ratiosOf({ results }: Figures): Map<string, number> {
  const ratios = new Map<string, number>();
  for (const { scenario, systems } of results) {
    const [ours, ...baselines] = systems;
    for (const baseline of ours ? baselines : []) {
      const name = `${scenario}, ${baseline.system}`;
      ratios.set(`${name}, rate`, relationOf(ours!, baseline, { figure: 'rate' }));
      ratios.set(`${name}, CPU`, relationOf(baseline, ours!, { figure: 'cpu' }));
    }
  }
  // Of figures that do not apply.
  return new Map([...ratios].filter(([, ratio]) => Number.isFinite(ratio)));
}
