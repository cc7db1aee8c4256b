import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { fillCourses } from './course-lists.ts';

const connections = 32;

export const includeRegistrations: Comparison = {
  name: 'include-registrations',
  measures: 'course index with the registrations of the user of a key, beside the plain one',
  run: async (installation) => {
    const { access, load, processes } = installation;
    const { urls } = await fillCourses(installation);
    const bound = await access.boundTo('learner-1@bench.example');
    const measure = (url: string) =>
      load.measure(
        { requests: [{ url }], pace: { connections }, status: 200 },
        processes.distributed,
      );
    const nested = bound.url('course.json', { include_registrations: 't' });
    const rounds = await measureRounds([
      { system: 'distributed', measure: () => measure(nested) },
      { system: 'plain', measure: () => measure(urls.distributed) },
    ]);
    const scenario = `course index with include_registrations, ${connections} connections`;
    const targets = [{ figure: 'rate', baseline: 'plain', min: 0.5 }] as const;
    return [compareSystems(scenario, 'requests', rounds, targets)];
  },
};
