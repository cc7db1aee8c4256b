import { showPostbackSecret } from '@registrar/contracts';
import { asOperator } from '@registrar/e2e/operator';
import { eventually } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadGenerator } from '../load/load.ts';
import { compareSystems, type Round } from '../results.ts';
import type { Comparison } from '../scenario.ts';
import {
  type Postback,
  type ScaleProvider,
  startScaleProvider,
} from '../simulated-provider/control.ts';
import { ApiAccess } from '../system/api-access.ts';
import { CrawledSystem } from '../system/crawled-system.ts';
import { type DistributedSystem, startDistributed } from '../system/installation.ts';
import { measureCreates } from '../system/measure-creates.ts';

const registrations = 500;

/** The most calls of the application in any second. */
const limit = 100;

const settings = {
  APPLICATION_CALLS_PER_SECOND: String(limit),
  CRAWL_RATE_PER_SECOND: String(limit),
} as const;

const postbackCount = 100;
const postbackPauseMs = 100;

/** Forged postbacks and repeated ones, half of each. */
const floodPerSecond = 10_000;
const floodSeconds = 20;

export const crawlPostbacks: Comparison = {
  name: 'crawl-postbacks',
  measures: 'from a postback to the result in the API, and a flood of forged and repeated ones',
  run: async ({ brokerUrl }) => {
    await using resources = new AsyncDisposableStack();
    const provider = await startScaleProvider(resources, [registrations]);
    const started = await startDistributed(resources, brokerUrl, settings);
    const crawled = new CrawledSystem(started, provider);
    const pair = await crawled.addApplications(1);
    const access = await ApiAccess.create(started.system.quickstart, pair);
    await eventually('the first crawl is complete', () => crawled.hasStored(registrations, 0));
    const receiver = await receiverOf(started);
    await provider.report();

    const posted = await measurePostbacks(started, provider, receiver);
    const quiet = await measureCreates(access, floodSeconds * 1_000);
    await provider.report();
    const flooded = await measureFlood(resources, access, receiver);
    const { mostInSecond } = await provider.report();
    const stored = await crawled.hasStored(postbackCount, 60);
    return [
      compareSystems(
        'from a postback to the result in the database',
        'postbacks',
        [{ system: 'distributed', rounds: [posted] }],
        [
          { figure: 'p99Ms', max: 2_000 },
          { figure: 'calls', max: 0 },
        ],
      ),
      compareSystems(
        `registration create during ${floodPerSecond} forged and repeated postbacks a second`,
        'requests',
        [
          { system: 'distributed', rounds: [{ ...flooded, calls: mostInSecond }] },
          { system: 'no postbacks', rounds: [quiet] },
        ],
        [{ figure: 'calls', max: limit }],
      ),
      compareSystems(
        'results that are as before the flood',
        'registrations',
        [{ system: 'distributed', rounds: [{ rate: stored ? postbackCount : 0 }] }],
        [{ figure: 'rate', min: postbackCount }],
      ),
    ];
  },
};

/** Returns where the provider posts the results of its application, and with which credentials. */
async function receiverOf({
  system,
  database,
}: DistributedSystem): Promise<Omit<Postback, 'number'>> {
  const { rows } = await database.query<{ id: number }>(
    `SELECT id::integer AS id FROM identity.provider_applications WHERE app_id = 'scale-1'`,
  );
  const applicationId = rows[0]?.id ?? 0;
  let credentials = { userName: '', password: '' };
  await asOperator(system, async (bus) => {
    credentials = await bus.request(showPostbackSecret, { applicationId });
  });
  const url = new URL(`/postbacks/${applicationId}`, system.quickstart.base_url).href;
  return { application: 1, url, ...credentials };
}

/** Posts results one after another, and measures when each is stored. `calls`: of lists. */
async function measurePostbacks(
  { database }: DistributedSystem,
  provider: ScaleProvider,
  receiver: Omit<Postback, 'number'>,
): Promise<Round> {
  const durations: number[] = [];
  const stored = async (number: number) => {
    const { rowCount } = await database.query(
      `SELECT FROM enrolment.registrations WHERE registration_guid = $1 AND totaltime = 60`,
      [`scale-1-${number}`],
    );
    return rowCount === 1;
  };
  for (let number = 0; number < postbackCount; number += 1) {
    const begun = performance.now();
    const status = await provider.post({ ...receiver, number });
    if (status !== 204) throw new Error(`a postback returned ${status}`);
    await eventually('the result is stored', () => stored(number), { intervalMs: 5 });
    durations.push(performance.now() - begun);
    await pause(postbackPauseMs);
  }
  const { calls } = await provider.report();
  const sorted = durations.toSorted((one, other) => one - other);
  return {
    p50Ms: sorted[Math.floor(sorted.length / 2)] ?? NaN,
    p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN,
    calls: calls['registrations'] ?? 0,
  };
}

/** Measures creates during a flood of postbacks. */
async function measureFlood(
  resources: AsyncDisposableStack,
  access: ApiAccess,
  { url, userName, password }: Omit<Postback, 'number'>,
): Promise<Round> {
  const generator = resources.adopt(await LoadGenerator.start(), (each) => each.stop());
  // As if the flood came from a machine of its own.
  generator.yieldProcessor();
  const bodyWith = (secret: string) =>
    new URLSearchParams({
      data: JSON.stringify({ id: 'scale-1-0' }),
      username: userName,
      password: secret,
    }).toString();
  const calls = [
    { url, body: bodyWith(password) },
    { url, body: bodyWith('forged') },
  ];
  const flood = generator.offer({
    calls,
    seconds: floodSeconds,
    offered: { perSecond: floodPerSecond },
  });
  const creates = await measureCreates(access, floodSeconds * 1_000);
  await flood;
  return creates;
}
