import { describe, expect, it } from 'vitest';
import { fallenRatios, type Figures, figuresOf } from './figures.ts';
import { compareSystems } from './results.ts';

/** The figures of a run with these rates of the system, as they are read from the file. */
function figuresWith(rates: Readonly<Record<string, number>>): Figures {
  const results = Object.entries(rates).map(([scenario, rate]) => {
    const systems = [
      { system: 'distributed', rounds: [{ rate, p99Ms: NaN }] },
      { system: 'bare', rounds: [{ rate: 100, p99Ms: NaN }] },
    ];
    return compareSystems(scenario, 'requests', systems, []);
  });
  return JSON.parse(JSON.stringify(figuresOf(results))) as Figures;
}

describe('the comparison with the figures of an earlier run', () => {
  it('reports a ratio that fell by more than 15 %', () => {
    const fallen = fallenRatios(figuresWith({ list: 100 }), figuresWith({ list: 84 }));
    expect(fallen).toEqual(['FELL list, bare, rate: 0.840, before 1.000']);
  });

  it('accepts a ratio that fell by 15 % or less, or rose', () => {
    const earlier = figuresWith({ list: 100, create: 100 });
    expect(fallenRatios(earlier, figuresWith({ list: 86, create: 300 }))).toEqual([]);
  });

  it('ignores scenarios that only one of the two runs has', () => {
    const earlier = figuresWith({ removed: 100, list: 100 });
    expect(fallenRatios(earlier, figuresWith({ list: 100, added: 1 }))).toEqual([]);
    expect(fallenRatios(figuresWith({}), earlier)).toEqual([]);
    expect(fallenRatios(earlier, figuresWith({}))).toEqual([]);
  });
});
