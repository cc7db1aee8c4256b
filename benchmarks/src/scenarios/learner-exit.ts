import { fetchLaunch } from '@registrar/conformance';
import { eventually } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../measure.ts';
import { compareSystems, type Round } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import { type DistributedSystem, startDistributed } from '../system/installation.ts';

/** The sample course of the demo realm, and its only activity. */
const courseGuid = 'first-aid-basics';
const activityId = 'lesson';

const learnerCount = 60;

/** The default of a deployment; other scenarios crawl only what they make due. */
const crawlIntervalSeconds = 30;

/** How long learners stay in the course: up to two intervals. */
const longestStayMs = 2 * crawlIntervalSeconds * 1_000;
const readIntervalMs = 20;

interface LearnerExit {
  /** Whether the learner closes the tab instead of choosing Exit. */
  readonly closesTab: boolean;
}

export const learnerExit: Comparison = {
  name: 'learner-exit',
  measures: "from a learner's exit to the result in the API, with and without postbacks",
  run: async ({ brokerUrl }) => {
    await using resources = new AsyncDisposableStack();
    const started = await startDistributed(resources, brokerUrl, {
      CRAWL_INTERVAL_SECONDS: String(crawlIntervalSeconds),
    });
    const exited = await measureExits(started, 'exited', { closesTab: false });
    const closed = await measureExits(started, 'closed', { closesTab: true });
    // From now on as a provider that does not post.
    await started.database.query(`
      CREATE FUNCTION provider.omit_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER omit_targets BEFORE INSERT ON provider.registration_configurations
        FOR EACH ROW EXECUTE FUNCTION provider.omit_row()`);
    const crawled = await measureExits(started, 'crawled', { closesTab: false });
    return [
      compareSystems(
        "from a learner's exit to the result in the API",
        'learners',
        [
          { system: 'distributed', rounds: [exited] },
          { system: 'tab closed', rounds: [closed] },
          { system: 'no postbacks', rounds: [crawled] },
        ],
        [{ figure: 'p99Ms', max: 2_000 }],
      ),
    ];
  },
};

/** Lets learners launch the course at once and leave it one after another. */
async function measureExits(
  started: DistributedSystem,
  group: string,
  exit: LearnerExit,
): Promise<Round> {
  const durations = await Promise.all(
    Array.from({ length: learnerCount }, (_, place) =>
      measureExit(started, `${group}-${place}`, (place * longestStayMs) / learnerCount, exit),
    ),
  );
  const sorted = durations.toSorted((one, other) => one - other);
  return { p50Ms: median(sorted), p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN };
}

async function measureExit(
  { access }: DistributedSystem,
  learner: string,
  stayMs: number,
  { closesTab }: LearnerExit,
): Promise<number> {
  const learner_id = `${learner}@bench.example`;
  const created = await fetch(access.url('registration.json'), {
    method: 'POST',
    body: new URLSearchParams({ course_guid: courseGuid, learner_id }),
  });
  const { registration_guid: guid } = (await created.json()) as { registration_guid: string };
  const launched = await fetch(access.url(`registration/${guid}/launch_url.json`));
  const { launch_url: link } = (await launched.json()) as { launch_url: string };
  const opened = await fetchLaunch(link, { redirect: 'manual' });
  const window = new URL(opened.headers.get('location') ?? '', link).href;
  const post = async (path: string, body: object) => {
    const response = await fetchLaunch(new URL(path, window).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return response;
  };
  const navigated = await post('navigation', {
    command: 'choice',
    target: activityId,
    current: null,
  });
  const { activity } = (await navigated.json()) as { activity: { sitting: number } };
  const { sitting } = activity;
  await pause(stayMs);
  await post('reports', {
    activityId,
    sitting,
    sequence: 1,
    seconds: 60,
    runtime: { core: { lesson_status: 'passed', score: { raw: '80', min: '0', max: '100' } } },
    ended: true,
    closing: closesTab,
  });
  if (!closesTab) await post('exit', {});
  const exited = performance.now();
  const isComplete = async () => {
    const response = await fetch(access.url('registration.json', { registration_guid: guid }));
    const [registration] = (await response.json()) as { complete: string }[];
    return registration?.complete === 'complete';
  };
  await eventually('the API shows the result', isComplete, {
    intervalMs: readIntervalMs,
    timeoutMs: 2 * longestStayMs,
  });
  return performance.now() - exited;
}
