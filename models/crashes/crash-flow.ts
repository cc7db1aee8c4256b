import { emailAddress } from '#libs/contracts';
import { runOperation } from '#libs/platform';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, type Strike } from './call-points.ts';
import { CrashSystem } from './crash-system.ts';
import { type Flow } from './flows.ts';

/** What a flow came to, struck at every point. */
export interface Crashes {
  readonly flow: string;
  /** Calls of the flow at which it was struck. */
  readonly points: number;
  /** All of them together, in every way. */
  readonly strikes: number;
  /** What was not as it must be. */
  readonly broken: readonly string[];
}

/** Every way of going wrong. */
const ways: readonly Omit<Strike, 'at'>[] = (
  ['not sent', 'not answered'] as const satisfies Fault[]
).flatMap((fault) => [
  { fault, kills: false },
  { fault, kills: true },
]);

/** How long a client waits, and how long it may take until all is over: milliseconds. */
const patience = 10_000;
const endTime = 90_000;

/**
 * Strikes a flow at its first call, at its second, and so on until it is over before it was struck;
 * each time starts the process again, lets it finish, repeats the request if it was not
 * acknowledged, and looks for what is missing and for what is there twice.
 *
 * @param stride takes one of so many points only, another one for each way of going wrong
 */
export async function crashFlow(
  flow: Flow,
  brokerUrl: string | null,
  stride = 1,
): Promise<Crashes> {
  const system = await CrashSystem.start({ brokerUrl, crawler: flow.crawler });
  try {
    const broken: string[] = [];
    await flow.prepare?.(system);
    await untilOver(system, flow).reached;
    let points = 0;
    let strikes = 0;
    for (const [number, way] of ways.entries()) {
      for (let at = 1 + Math.floor((number * stride) / ways.length); ; at += stride) {
        const { struck, faults, stuck } = await strikeOnce(system, flow, { ...way, at });
        broken.push(...faults);
        // What never ends would be in the way of all that follows.
        if (stuck) return { flow: flow.name, points, strikes, broken };
        if (!struck) break;
        strikes += 1;
        points = Math.max(points, at);
      }
    }
    return { flow: flow.name, points, strikes, broken };
  } finally {
    await system.stop();
  }
}

async function strikeOnce(
  system: CrashSystem,
  flow: Flow,
  strike: Strike,
): Promise<{ struck: boolean; faults: string[]; stuck: boolean }> {
  const learner = emailAddress.parse(`${randomUUID()}@example.com`);
  const ask = () =>
    runOperation(
      { requestId: learner, deadline: Date.now() + patience, idempotencyKey: learner },
      () => flow.begin(system, learner),
    );
  const { points } = system;
  const struck = points.prepare(strike);
  const died = struck.then(() => (strike.kills ? null : new Promise<never>(() => undefined)));
  let acknowledged = await Promise.race([ask().catch(() => null), died]);
  const after = untilOver(system, flow);
  const wasStruck = await Promise.race([struck.then(() => true), after.reached.then(() => false)]);
  after.giveUp();
  const where = points.calls.at(strike.at - 1) ?? '';
  const faults: string[] = [];
  // Every other client repeats at once what was not acknowledged; the rest is settled before.
  const isHasty = acknowledged === null && strike.at % 2 === 1;
  await system.restart({ later: !isHasty });
  const look = async () => {
    const over = await untilOver(system, flow).reached;
    if (!over) faults.push('it does not end');
    faults.push(...(await booksOf(system)));
    return over;
  };
  let stuck = !isHasty && !(await look());
  acknowledged ??= await ask().catch((error: unknown) => `nothing but ${String(error)}`);
  stuck ||= !(await look());
  const effects = await flow.effects(system, learner, acknowledged).catch(String);
  if (effects.length !== 1 || effects[0] !== acknowledged) {
    faults.push(`${acknowledged} was acknowledged, and there is ${String(effects)}`);
  }
  const how = `${flow.name}, ${strike.kills ? 'killed' : 'failed'} at ${strike.at} (${where}, ${strike.fault})`;
  return { struck: wasStruck, faults: faults.map((fault) => `${how}: ${fault}`), stuck };
}

/** Looks again and again, for it announces itself nowhere; answers whether it is over at last. */
function untilOver(system: CrashSystem, flow: Flow) {
  const giveUp = Date.now() + endTime;
  let wanted = true;
  const look = async () => {
    while (wanted && Date.now() < giveUp) {
      if (await flow.isOver(system)) return true;
      await pause(5);
    }
    return false;
  };
  return {
    reached: look(),
    giveUp: () => {
      wanted = false;
    },
  };
}

/** What enrolment and the provider hold is the same, and no event took effect twice. */
async function booksOf(system: CrashSystem): Promise<string[]> {
  const rows = await system.query<{ guid: string }>(
    'SELECT registration_guid AS guid FROM enrolment.registrations',
  );
  const here = new Set(rows.map((row) => row.guid));
  const there = new Set(system.account.registrations.keys());
  const [tallies] = await system.query<{ exists: boolean }>(
    `SELECT to_regclass('crawler.tallies') IS NOT NULL AS exists`,
  );
  const twice = tallies?.exists
    ? await system.query<{ what: string }>(
        `SELECT event || ' ' || subject AS what FROM crawler.tallies
         WHERE event = 'registration created' GROUP BY event, subject HAVING count(*) > 1
         UNION ALL
         SELECT 'access changed more often than it did' FROM crawler.tallies
         WHERE event = 'access changed'
         HAVING count(*) > (SELECT count(*) + 1 FROM identity.api_keys)`,
      )
    : [];
  return [
    ...[...here].filter((guid) => !there.has(guid)).map((guid) => `${guid} is here alone`),
    ...[...there].filter((guid) => !here.has(guid)).map((guid) => `${guid} is there alone`),
    ...twice.map(({ what }) => `twice: ${what}`),
  ];
}
