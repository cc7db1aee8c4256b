import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { demoOwner, insertRegistrations } from '../system/fill.ts';
import type { Processes } from '../system/process-usage.ts';
import { requireSameResponses } from '../system/same-responses.ts';
import { courseCount, coursePrefix, fillCourses } from './course-lists.ts';

const connections = 32;

export const includeRegistrations: Comparison = {
  name: 'include-registrations',
  measures:
    'course index with the registrations of the user of a key, beside bare and the plain one',
  run: async (installation) => {
    const { access, bare, database, load, processes } = installation;
    const { urls } = await fillCourses(installation);
    const owner = await demoOwner(database);
    const learner = 'nested-0@bench.example';
    const courses = courseCount - 1;
    await insertRegistrations(database, {
      ...owner,
      count: courses,
      prefix: coursePrefix,
      courses,
      learners: 'nested',
    });
    const bound = await access.boundTo(learner);
    const measure = (url: string, own: Processes) =>
      load.measure({ requests: [{ url }], pace: { connections }, status: 200 }, own);
    const query = new URLSearchParams({
      application: `${owner.applicationId}`,
      learner_id: learner,
    });
    const nested = {
      distributed: bound.url('course.json', { include_registrations: 't' }),
      bare: `${bare.url}/course-of-learner.json?${query.toString()}`,
    };
    await requireSameResponses(nested);
    const rounds = await measureRounds([
      {
        system: 'distributed',
        measure: () => measure(nested.distributed, processes.distributed),
      },
      { system: 'bare', measure: () => measure(nested.bare, processes.bare) },
      { system: 'plain', measure: () => measure(urls.distributed, processes.distributed) },
    ]);
    const scenario = `course index with include_registrations, ${connections} connections`;
    const targets = [{ figure: 'rate', baseline: 'bare', min: 0.4 }] as const;
    return [compareSystems(scenario, 'requests', rounds, targets)];
  },
};
