import { startDistributedSystem } from '@registrar/standalone/testing';
import { asOperator } from '@registrar/e2e/operator';
import { setTimeout as pause } from 'node:timers/promises';
import { type Load, LoadGenerator, type LoadResult } from '../load/load.ts';
import { DedicatedBroker } from '@registrar/testing';
import { median } from '../measure.ts';
import { type AddedRealm, addRealm } from '../system/add-realm.ts';
import type { PromiseResult } from './report.ts';

/** What each realm may send, and what the other realm sends in each phase: requests per second. */
const share = 20;
const phases = { calm: 0, share, flood: 10 * share } as const;
type Phase = keyof typeof phases;

/** Each round measures the bystander in every phase: seconds. */
const rounds = 6;
const leadInSeconds = 2;
const measuredSeconds = 8;

/** How much longer the bystander's requests may take while the other realm floods (p95). */
const maxRatio = 1.2;

/**
 * Measures a realm that sends its share while another realm sends nothing, its share, and ten times
 * its share, whether it is answered or not. The phases take turns, so that whatever else the machine
 * does affects all of them.
 */
export async function measureFairness(
  databaseUrl: string,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const broker = await DedicatedBroker.start();
  const system = await startDistributedSystem(broker.url, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
    NODE_ENV: 'production',
    // Nothing else happens while it is measured.
    CRAWL_INTERVAL_SECONDS: '86400',
    MAX_CONNECTIONS_PER_ADDRESS: '4096',
    REALM_REQUESTS_PER_SECOND: String(share),
  });
  const [other, bystander] = await Promise.all([LoadGenerator.start(), LoadGenerator.start()]);
  try {
    const { base_url } = system.quickstart;
    const [ofOther, ofBystander] = await asOperator(system, async (bus) => [
      callsOf(base_url, (await addRealm(bus, 'other')).pair),
      callsOf(base_url, (await addRealm(bus, 'bystander')).pair),
    ]);
    const observe = async (perSecond: number, seconds: number) => {
      const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
      const load = {
        calls: ofOther,
        seconds: leadInSeconds + seconds,
        offered: { perSecond },
        addresses,
      };
      const flood = perSecond > 0 ? other.offer(load) : null;
      await pause(leadInSeconds * 1_000);
      const seen = await bystander.offer({
        calls: ofBystander,
        seconds,
        offered: { perSecond: share },
        addresses: ['127.0.0.9'],
      });
      return { seen, flood: await flood };
    };
    await observe(share, measuredSeconds);
    const measured: Record<Phase, LoadResult[]> = { calm: [], share: [], flood: [] };
    const order = Object.keys(phases) as Phase[];
    for (let round = 0; round < rounds; round += 1) {
      order.push(order.shift()!);
      for (const phase of order) {
        const { seen, flood } = await observe(phases[phase], measuredSeconds);
        measured[phase].push(seen);
        say(lineOf(phase, seen, flood));
      }
    }
    const ratioTo = (base: Phase) =>
      median(measured.flood.map(({ done }, round) => done.p95 / measured[base][round]!.done.p95));
    const failed = measured.flood.reduce(
      (sum, { shed, failed: f }) => sum + shed.count + f.count,
      0,
    );
    say(
      `p95 with ten times the share, in relation to that with nothing: ${ratioTo('calm').toFixed(2)}`,
    );
    return [
      {
        promise: `a realm that sends ten times its share, instead of its share, changes the p95 of another by less than 20 %`,
        measured: ratioTo('share').toFixed(2),
        kept: ratioTo('share') < maxRatio,
      },
      {
        promise: 'and none of its requests is refused or fails',
        measured: String(failed),
        kept: failed === 0,
      },
    ];
  } finally {
    other.stop();
    bystander.stop();
    await system.dispose();
    await broker.dispose();
  }
}

function lineOf(
  phase: Phase,
  { done, shed, failed }: LoadResult,
  flood: LoadResult | null,
): string {
  const sent = flood
    ? `the other realm: ${flood.sentPerSecond.toFixed(0)}/s sent, ${flood.donePerSecond.toFixed(0)}/s done, ` +
      `shed within ${flood.shed.median.toFixed(1)} ms`
    : 'the other realm: nothing';
  return (
    `${phase.padEnd(5)}  bystander: ${done.count} done, p50 ${done.median.toFixed(1)} ms, ` +
    `p95 ${done.p95.toFixed(1)} ms, ${shed.count + failed.count} not done; ${sent}`
  );
}

/** Reads and writes that involve no provider. */
function callsOf(baseUrl: string, pair: AddedRealm['pair']): Load['calls'] {
  const access = new URLSearchParams(pair);
  const lists = ['course', 'registration', 'invitation', 'course'].map((name) => ({
    url: `${baseUrl}/${name}.json?${access.toString()}`,
  }));
  const create = {
    url: `${baseUrl}/realm_user.json?${access.toString()}`,
    body: 'email=LEARNER@example.com',
  };
  return [...lists, create];
}
