import { compareSystems, type CompareResult, type Target } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { HttpRequest } from '../load/http-load.ts';
import type { Comparison } from '../scenario.ts';
import { demoOwner, insertCourses, insertRegistrations } from '../system/fill.ts';
import { type DistributedSystem, startDistributed } from '../system/installation.ts';
import { courseCount, coursePrefix } from './course-lists.ts';

const registrationCounts = { few: 1_000, short: 100_000, long: 1_000_000 } as const;

/** The registrations of a page, and a time before all of them. */
const pageSize = 100;
const longAgo = '2020-01-01T00:00:00Z';

/** Different requests for registrations, which are sent in turn. */
const requestCount = 50;

const sameTime: readonly Target[] = [{ figure: 'p50Ms', baseline: 'few', max: 1.2 }];

export const million: Comparison = {
  name: 'million',
  measures:
    'lists of a realm with 100,000 registrations (1,000,000 with --long, or --registrations), beside 1,000',
  run: async ({ brokerUrl, load }, { long, registrations }) => {
    await using resources = new AsyncDisposableStack();
    const count = registrations ?? registrationCounts[long ? 'long' : 'short'];
    // Each has a database of its own, so that its tables have no more rows either.
    const many = await startFilled(resources, brokerUrl, count);
    const few = await startFilled(resources, brokerUrl, registrationCounts.few);
    const results: CompareResult[] = [];
    for (const [name, targets] of Object.entries(targetsByList)) {
      const list = name as ListName;
      const measure = ({ requests, processes }: FilledSystem) =>
        load.measure(
          { requests: requests[list], pace: { connections: 1 }, status: 200 },
          processes,
        );
      const rounds = await measureRounds([
        { system: 'distributed', measure: () => measure(many) },
        { system: 'few', measure: () => measure(few) },
      ]);
      const scenario = `${list}, ${count.toLocaleString('en')} registrations`;
      results.push(compareSystems(scenario, 'requests', rounds, targets));
    }
    return results;
  },
};

/** What is measured. Gateways keep the first list; that of a user-bound key they do not keep. */
const targetsByList = {
  'course index': sameTime,
  'course index of a user': sameTime,
  'registration index': [],
  'page of the newest registrations': sameTime,
  'page of the latest changes': sameTime,
  'page of all changes since a time': sameTime,
  'page of incomplete registrations': sameTime,
  'page of registrations created since a time': sameTime,
} as const satisfies Readonly<Record<string, readonly Target[]>>;
type ListName = keyof typeof targetsByList;

interface FilledSystem extends Pick<DistributedSystem, 'processes'> {
  readonly requests: Readonly<Record<ListName, readonly HttpRequest[]>>;
}

/** Starts a system whose demo realm has 20 courses and so many registrations. */
async function startFilled(
  resources: AsyncDisposableStack,
  brokerUrl: string,
  count: number,
): Promise<FilledSystem> {
  const { database, access, processes } = await startDistributed(resources, brokerUrl);
  const owner = await demoOwner(database);
  // The quickstart has created one.
  const courses = courseCount - 1;
  await insertCourses(database, {
    applicationId: owner.applicationId,
    count: courses,
    prefix: coursePrefix,
  });
  await insertRegistrations(database, { ...owner, count, prefix: coursePrefix, courses });
  const bound = await access.boundTo('learner-1@bench.example');
  // Of learners from the whole table.
  const learners = Math.floor(count / courses);
  const filters = Array.from({ length: requestCount }, (_, place) => ({
    learner_id: `learner-${Math.floor((place * learners) / requestCount)}@bench.example`,
    course_guid: `${coursePrefix}${1 + (place % courses)}`,
  }));
  const page = (parameters: Readonly<Record<string, string>>) => [
    { url: access.url('registration.json', { limit: String(pageSize), ...parameters }) },
  ];
  const requests = {
    'course index': [{ url: access.url('course.json') }],
    'course index of a user': [{ url: bound.url('course.json') }],
    'registration index': filters.map((each) => ({ url: access.url('registration.json', each) })),
    'page of the newest registrations': page({ sort: '-id' }),
    'page of the latest changes': page({ sort: '-updated_at' }),
    'page of all changes since a time': page({ updated_since: longAgo }),
    // All registrations are complete, so that nothing but an index ends the search.
    'page of incomplete registrations': page({ complete: 'incomplete' }),
    'page of registrations created since a time': page({ created_since: longAgo, sort: 'id' }),
  };
  await requireRecords(requests['course index'][0]!, courseCount);
  for (const request of requests['registration index']) await requireRecords(request, 1);
  return { requests, processes };
}

/** @throws {Error} unless a list has so many records */
async function requireRecords({ url }: HttpRequest, count: number): Promise<void> {
  const response = await fetch(url);
  const records = (await response.json()) as unknown[];
  if (response.status === 200 && records.length === count) return;
  throw new Error(`${url} returned ${response.status} with ${records.length} records`);
}
