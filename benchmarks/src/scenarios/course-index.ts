import type { HttpLoad } from '../load/http-load.ts';
import { compareSystems, type CompareResult, type Target } from '../results.ts';
import { type Contestant, measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { type CourseLists, fillCourses } from './course-lists.ts';

/** Targets by number of connections. */
const targets: Readonly<Record<number, readonly Target[]>> = {
  1: [{ figure: 'p50Ms', baseline: 'bare', max: 2.2 }],
  32: [
    { figure: 'rate', baseline: 'bare', min: 0.8 },
    { figure: 'cpu', baseline: 'bare', max: 1.3 },
    { figure: 'p99Ms', baseline: 'bare', max: 2 },
    { figure: 'rate', baseline: 'stock', min: 1.8 },
  ],
  128: [{ figure: 'rate', baseline: 'bare', min: 0.85 }],
};

/** A constant rate that all of the systems can serve on two processors. */
const perSecond = 150;

/** The name of the scenario with a number of connections. */
export const scenarioOf = (connections: number): string =>
  `course index, ${connections} connection${connections === 1 ? '' : 's'}`;

export const courseIndex: Comparison = {
  name: 'course-index',
  measures: '20 courses by API key, with 1, 32 and 128 connections, and at a constant rate',
  run: async (installation) => {
    const lists = await fillCourses(installation);
    const results: CompareResult[] = [];
    for (const [connections, required] of Object.entries(targets)) {
      const contestants = contestantsOf(lists, { connections: Number(connections) });
      const rounds = await measureRounds(contestants);
      const scenario = scenarioOf(Number(connections));
      results.push(compareSystems(scenario, 'requests', rounds, required));
    }
    const constant = await measureRounds(contestantsOf(lists, { perSecond }));
    const scenario = `course index, ${perSecond} a second`;
    results.push(compareSystems(scenario, 'requests', constant, []));
    return results;
  },
};

const contestantsOf = ({ urls, load, processes }: CourseLists, pace: HttpLoad['pace']) =>
  (['distributed', 'bare', 'stock'] as const).map((system): Contestant => ({
    system,
    measure: () =>
      load.measure({ requests: [{ url: urls[system] }], pace, status: 200 }, processes[system]),
  }));
