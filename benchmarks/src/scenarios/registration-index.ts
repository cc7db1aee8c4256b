import type { HttpRequest } from '../load/http-load.ts';
import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { demoOwner, insertRegistrations } from '../system/fill.ts';
import type { Installation } from '../system/installation.ts';
import { requireSameResponses } from '../system/same-responses.ts';
import { courseCount, coursePrefix, fillCourses } from './course-lists.ts';

const registrationCount = 10_000;
/** Different requests, which are sent in turn. */
const requestCount = 100;

export const registrationIndex: Comparison = {
  name: 'registration-index',
  measures: 'the registration of a learner in a course',
  run: async (installation) => {
    const { load, processes } = installation;
    const requests = await fill(installation);
    const measureWith = (connections: number) =>
      measureRounds(
        (['distributed', 'bare', 'stock'] as const).map((system) => ({
          system,
          measure: () =>
            load.measure(
              { requests: requests[system], pace: { connections }, status: 200 },
              processes[system],
            ),
        })),
      );
    return [
      compareSystems('registration index, 32 connections', 'requests', await measureWith(32), [
        { figure: 'rate', baseline: 'bare', min: 0.5 },
        { figure: 'cpu', baseline: 'bare', max: 3 },
      ]),
      compareSystems('registration index, 1 connection', 'requests', await measureWith(1), [
        { figure: 'p50Ms', baseline: 'bare', max: 4 },
      ]),
    ];
  },
};

type Requests = Readonly<Record<'distributed' | 'bare' | 'stock', HttpRequest[]>>;

async function fill(installation: Installation): Promise<Requests> {
  const { database, access, bare, stock } = installation;
  await fillCourses(installation);
  const owner = await demoOwner(database);
  const courses = courseCount - 1;
  await insertRegistrations(database, {
    ...owner,
    count: registrationCount,
    prefix: coursePrefix,
    courses,
  });
  const filters = Array.from({ length: requestCount }, (_, place) => ({
    learner_id: `learner-${place}@bench.example`,
    course_guid: `${coursePrefix}${1 + (place % courses)}`,
  }));
  const ofBaseline = ({ url }: { url: string }) =>
    filters.map((filter) => {
      const query = new URLSearchParams({ application: `${owner.applicationId}`, ...filter });
      return { url: `${url}/registration.json?${query.toString()}` };
    });
  const requests = {
    distributed: filters.map((filter) => ({ url: access.url('registration.json', filter) })),
    bare: ofBaseline(bare),
    stock: ofBaseline(stock),
  };
  await requireSameResponses({
    distributed: requests.distributed[0]!.url,
    bare: requests.bare[0]!.url,
    stock: requests.stock[0]!.url,
  });
  return requests;
}
