import { embeddedPostgresUrl } from '@registrar/persistence/testing';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import pg from 'pg';
import type { HttpLoad, HttpRequest } from '../load/http-load.ts';
import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { insertCourses, insertRegistrations, ownerOf } from '../system/fill.ts';
import { postgresOf, standaloneSettings } from '../system/installation.ts';
import { coursePrefix } from './course-lists.ts';
import {
  addProviderRealm,
  providerAppId,
  type ProviderRealm,
  useProviderRealm,
} from './provider-realm.ts';

const connections = 32;
const courseCount = 20;
const registrationCount = 10_000;
/** How often the 20 requests of {@link cycle} are repeated, each time for other learners. */
const cycleCount = 50;

/** 70 % reads of registrations, 15 % course index, 10 % creates and 5 % launches. */
const cycle = [
  ...([
    'read',
    'read',
    'read',
    'read',
    'courses',
    'read',
    'read',
    'read',
    'create',
    'read',
  ] as const),
  ...([
    'read',
    'courses',
    'read',
    'read',
    'launch',
    'read',
    'courses',
    'read',
    'create',
    'read',
  ] as const),
];

export const mixedLoad: Comparison = {
  name: 'mixed-load',
  measures:
    'reads of registrations and courses, creates and launches, distributed and in one process',
  run: async (installation) => {
    const { load, database, processes } = installation;
    await using resources = new AsyncDisposableStack();
    const standalone = resources.adopt(await startStandaloneSystem(standaloneSettings), (each) =>
      each.dispose(),
    );
    const embedded = new pg.Client({
      connectionString: await embeddedPostgresUrl(standalone.dataDirectory),
    });
    await embedded.connect();
    resources.defer(() => embedded.end());
    const ofDistributed = await prepareLoad(await useProviderRealm(installation), database);
    const ofStandalone = await prepareLoad(
      await addProviderRealm({ system: standalone, resources }),
      embedded,
    );
    const [pid = 0] = standalone.processes();
    const inOneProcess = { HTTP: { pids: [pid] }, PostgreSQL: postgresOf(pid) };
    const rounds = await measureRounds([
      { system: 'distributed', measure: () => load.measure(ofDistributed, processes.distributed) },
      { system: 'standalone', measure: () => load.measure(ofStandalone, inOneProcess) },
    ]);
    const scenario = `mixed load, ${connections} connections`;
    return [
      compareSystems(scenario, 'requests', rounds, [
        { figure: 'rate', min: 1_500 },
        { figure: 'rate', baseline: 'standalone', max: 1 },
      ]),
    ];
  },
};

/** Fills a realm, and returns the load on it. */
async function prepareLoad(
  { access, applicationId }: ProviderRealm,
  database: pg.Client,
): Promise<HttpLoad> {
  const courses = courseCount - 1;
  await insertCourses(database, { applicationId, count: courses, prefix: coursePrefix });
  await insertRegistrations(database, {
    ...(await ownerOf(database, applicationId)),
    count: registrationCount,
    prefix: coursePrefix,
    courses,
  });
  const create = (learner: string) => ({
    url: access.url('registration.json'),
    method: 'POST' as const,
    body: `course_guid=${providerAppId}&learner_id=${learner}@bench.example`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const requests: HttpRequest[] = [];
  for (let turn = 0; turn < cycleCount; turn += 1) {
    const { url, ...created } = create(`launched-${turn}`);
    const response = await fetch(url, created);
    if (response.status !== 201) throw new Error(`create returned ${response.status}`);
    const { registration_guid } = (await response.json()) as { registration_guid: string };
    for (const [place, kind] of cycle.entries()) {
      const n = turn * cycle.length + place;
      const filter = {
        learner_id: `learner-${n % Math.floor(registrationCount / courses)}@bench.example`,
        course_guid: `${coursePrefix}${1 + (n % courses)}`,
      };
      if (kind === 'read') requests.push({ url: access.url('registration.json', filter) });
      else if (kind === 'courses') requests.push({ url: access.url('course.json') });
      else if (kind === 'create') requests.push(create('[<id>]'));
      else requests.push({ url: access.url(`registration/${registration_guid}/launch_url.json`) });
    }
  }
  return { requests, pace: { connections }, status: [200, 201] };
}
