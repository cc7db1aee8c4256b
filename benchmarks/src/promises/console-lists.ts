import { setTimeout } from 'node:timers/promises';
import { signInToConsole, startDistributedSystem } from '@registrar/standalone/testing';
import pg from 'pg';
import { demoOwner, insertCourses, insertRegistrations } from '../system/fill.ts';
import { distributedSettings } from '../system/installation.ts';
import { table } from '../table.ts';
import type { PromiseResult } from './report.ts';

const defaultRegistrations = 1_000_000;
const courses = 20;
const prefix = 'bench-';

const mostMs = 300;

/** Calls of each list, after those that do not count. */
const measuredCalls = 60;
const uncountedCalls = 5;

/** A time before all registrations, and one after. */
const [longAgo, never] = ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];

/** What the inputs of calls name. */
interface Named {
  readonly realm: string;
  /** The GUIDs of registrations from the whole table. */
  readonly registrations: readonly string[];
  readonly learners: number;
}

/** A list or a search: the call, and its input, which may differ from one call to the next. */
type List = readonly [call: string, filter: string, input: (named: Named, place: number) => object];

const ofRealm =
  (input: object | ((named: Named, place: number) => object) = {}): List[2] =>
  (named, place): object => ({
    realm: named.realm,
    ...(typeof input === 'function' ? (input(named, place) as object) : input),
  });

const learnerAt = ({ learners }: Named, place: number) =>
  `learner-${Math.floor((place * learners) / measuredCalls) % learners}@bench.example`;
const courseAt = (place: number) => `${prefix}${1 + (place % courses)}`;
const registrationAt = ({ registrations }: Named, place: number) =>
  registrations[place % registrations.length] ?? '';

/** Every list and search of the console, with each of its filters. */
const lists: readonly List[] = [
  ...['id', '-id', 'updated_at', '-updated_at'].map((sort): List => [
    'registrations.list',
    `sort ${sort}`,
    ofRealm({ sort }),
  ]),
  ['registrations.list', 'learner', ofRealm((named, at) => ({ learner: learnerAt(named, at) }))],
  ['registrations.list', 'unknown learner', ofRealm({ learner: 'nobody@bench.example' })],
  ['registrations.list', 'course', ofRealm((_, at) => ({ course: courseAt(at) }))],
  [
    'registrations.list',
    'course by change',
    ofRealm((_, at) => ({ course: courseAt(at), sort: '-updated_at' })),
  ],
  [
    'registrations.list',
    'course without a result',
    ofRealm((_, at) => ({ course: courseAt(at), complete: 'incomplete' })),
  ],
  [
    'registrations.list',
    'learner and course',
    ofRealm((named, at) => ({ learner: learnerAt(named, at), course: courseAt(at) })),
  ],
  [
    'registrations.list',
    'registration',
    ofRealm((named, at) => ({ registration: registrationAt(named, at) })),
  ],
  ...(['unknown', 'incomplete', 'complete'] as const).map((complete): List => [
    'registrations.list',
    complete,
    ofRealm({ complete }),
  ]),
  ...(['unknown', 'failed', 'succeeded'] as const).map((success): List => [
    'registrations.list',
    `success ${success}`,
    ofRealm({ success }),
  ]),
  ['registrations.list', 'failed, by change', ofRealm({ success: 'failed', sort: '-updated_at' })],
  ['registrations.list', 'all changes', ofRealm({ updatedSince: longAgo })],
  ['registrations.list', 'no changes', ofRealm({ updatedSince: never })],
  ['registrations.list', 'all creations', ofRealm({ createdSince: longAgo })],
  ['registrations.list', 'no creations', ofRealm({ createdSince: never })],
  ['registrations.list', 'inactive too', ofRealm({ includeInactive: true })],
  ['registrations.list', 'without deleted', ofRealm({ includeDeleted: false })],
  ['registrations.list', '200 rows', ofRealm({ limit: 200 })],
  ['registrations.show', '', ofRealm((named, at) => ({ registration: registrationAt(named, at) }))],
  [
    'registrations.show-timeline',
    '',
    ofRealm((named, at) => ({ registration: registrationAt(named, at) })),
  ],
  ['courses.list', '', ofRealm()],
  ['courses.list', 'title', ofRealm({ title: 'safety' })],
  ['courses.list', 'unknown title', ofRealm({ title: 'no such title' })],
  ['courses.list', 'course', ofRealm((_, at) => ({ course: courseAt(at) }))],
  ['courses.show', '', ofRealm((_, at) => ({ course: courseAt(at) }))],
  ['courses.show-use', '', ofRealm((_, at) => ({ course: courseAt(at) }))],
  ['invitations.list', '', ofRealm()],
  ['invitations.list', 'name', ofRealm({ name: 'none' })],
  ['reports.list', '', ofRealm()],
  ['api-keys.list', '', ofRealm()],
  ['audit.list', '', ofRealm()],
  ['audit.list-all', '', () => ({})],
  ['provider-applications.list', '', ofRealm()],
  ['provider-applications.list-all', '', () => ({})],
  ['realms.list', '', () => ({})],
  ['realms.list', 'name', () => ({ text: 'demo' })],
  ['session.find-realms', '', () => ({ text: 'demo' })],
  ['parked-events.list', '', () => ({ context: null })],
  ['overview.apps', '', () => ({})],
  ['overview.crawls', '', () => ({})],
];

/** Measures every list and search of the console with many registrations, one call at a time. */
export async function measureConsoleLists(
  brokerUrl: string,
  say: (text: string) => void,
  { registrations }: { readonly registrations: number | null },
): Promise<PromiseResult[]> {
  const count = registrations ?? defaultRegistrations;
  await using resources = new AsyncDisposableStack();
  const system = resources.adopt(
    await startDistributedSystem(brokerUrl, distributedSettings),
    (each) => each.dispose(),
  );
  const named = await fill(system.databaseUrl ?? '', system.quickstart.realm_guid, count);
  const headers = {
    cookie: await signInToConsole(system),
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
  const results: { readonly name: string; readonly p95Ms: number; readonly row: string[] }[] = [];
  for (const [call, filter, input] of lists) {
    const times: number[] = [];
    for (let place = 0; place < uncountedCalls + measuredCalls; place += 1) {
      const body = JSON.stringify(input(named, place));
      const url = `${system.consoleUrl}/api/calls/${call}`;
      const ms = await timeCall(url, { method: 'POST', headers, body });
      if (place >= uncountedCalls) times.push(ms);
    }
    const sorted = times.toSorted((one, other) => one - other);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? NaN;
    const shown = [at(0.5), at(0.95)].map((ms) => `${ms.toFixed(0)} ms`);
    results.push({ name: `${call} ${filter}`, p95Ms: at(0.95), row: [call, filter, ...shown] });
  }
  say(table([['call', 'filter', 'median', 'p95'], ...results.map(({ row }) => row)]));
  const slow = results.filter(({ p95Ms }) => !(p95Ms <= mostMs));
  const most = Math.max(...results.map(({ p95Ms }) => p95Ms));
  return [
    {
      promise: `with ${count.toLocaleString('en')} registrations, the console answers each list and search within ${mostMs} ms at p95`,
      measured: [`${most.toFixed(0)} ms`, ...slow.map(({ name }) => name)].join(', '),
      kept: slow.length === 0,
    },
  ];
}

/** Times a call in milliseconds, once the session may make it: calls follow each other faster than those of a reader. */
async function timeCall(url: string, request: RequestInit): Promise<number> {
  for (;;) {
    const begun = performance.now();
    const response = await fetch(url, request);
    const text = await response.text();
    const ms = performance.now() - begun;
    if (response.ok) return ms;
    if (!text.includes('"over-limit"')) throw new Error(`${url} got ${response.status}: ${text}`);
    await setTimeout(Number(response.headers.get('retry-after')) * 1_000);
  }
}

/** Fills the demo realm with courses and registrations. */
async function fill(databaseUrl: string, realm: string, count: number): Promise<Named> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const owner = await demoOwner(database);
    const { applicationId } = owner;
    await insertCourses(database, { applicationId, count: courses, prefix });
    await insertRegistrations(database, { ...owner, count, prefix, courses });
    const { rows } = await database.query<{ guid: string }>(
      `SELECT registration_guid AS guid FROM enrolment.registrations
       WHERE id % greatest(1, $1::bigint / $2) = 0 LIMIT $2`,
      [count, measuredCalls],
    );
    return {
      realm,
      registrations: rows.map(({ guid }) => guid),
      learners: Math.max(1, Math.floor(count / courses)),
    };
  } finally {
    await database.end();
  }
}
