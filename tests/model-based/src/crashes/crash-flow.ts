import { emailAddress } from '@registrar/contracts';
import { runInRequestContext } from '@registrar/platform';
import { eventually } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { type Fault, type FaultInjection } from './fault-points.ts';
import { CrashSystem } from './crash-system.ts';
import { type Flow } from './flows.ts';

/** The result of injecting faults at every point of a flow. */
export interface CrashResult {
  readonly flow: string;
  /** Number of the flow's calls that got a fault. */
  readonly points: number;
  /** Number of injected faults of all kinds. */
  readonly injections: number;
  /** The violations after a restart. */
  readonly violations: readonly string[];
}

/** Every combination of a lost request or response with a failed call or a killed process. */
const faultKinds: readonly Omit<FaultInjection, 'at'>[] = (
  ['not sent', 'not answered'] as const satisfies Fault[]
).flatMap((fault) => [
  { fault, kills: false },
  { fault, kills: true },
]);

/** Timeout of a client's request, and timeout until all work has settled, in milliseconds. */
const requestTimeoutMs = 10_000;
const settleTimeoutMs = 90_000;

/**
 * Injects a fault at the first call of a flow, at its second, and so on until the flow ends before
 * the fault. Each time the process is restarted, the work settles, the request is repeated if it was
 * not acknowledged, and missing or duplicated effects are reported.
 *
 * @param stride injects only at every n-th call, with another offset for each kind of fault
 */
export async function crashFlow(
  flow: Flow,
  brokerUrl: string | null,
  stride = 1,
): Promise<CrashResult> {
  const system = await CrashSystem.start({ brokerUrl, crawler: flow.crawler });
  try {
    const broken: string[] = [];
    await flow.prepare?.(system);
    await pollSettled(system, flow).reached;
    let points = 0;
    let strikes = 0;
    for (const [number, way] of faultKinds.entries()) {
      for (let at = 1 + Math.floor((number * stride) / faultKinds.length); ; at += stride) {
        const { injected, faults, stuck } = await injectOnce(system, flow, { ...way, at });
        broken.push(...faults);
        // Work that never settles would disturb all later runs.
        if (stuck) return { flow: flow.name, points, injections: strikes, violations: broken };
        if (!injected) break;
        strikes += 1;
        points = Math.max(points, at);
      }
    }
    return { flow: flow.name, points, injections: strikes, violations: broken };
  } finally {
    await system.stop();
  }
}

async function injectOnce(
  system: CrashSystem,
  flow: Flow,
  injection: FaultInjection,
): Promise<{ injected: boolean; faults: string[]; stuck: boolean }> {
  const learner = emailAddress.parse(`${randomUUID()}@example.com`);
  const send = () =>
    runInRequestContext(
      { requestId: learner, deadline: Date.now() + requestTimeoutMs, idempotencyKey: learner },
      () => flow.request(system, learner),
    );
  const { points } = system;
  const injected = points.arm(injection);
  const died = injected.then(() => (injection.kills ? null : new Promise<never>(() => undefined)));
  let acknowledged = await Promise.race([send().catch(() => null), died]);
  const after = pollSettled(system, flow);
  const wasInjected = await Promise.race([
    injected.then(() => true),
    after.reached.then(() => false),
  ]);
  after.giveUp();
  const where = points.calls.at(injection.at - 1) ?? '';
  const faults: string[] = [];
  // Every other client repeats an unacknowledged request at once, the others after the work has settled.
  const repeatsAtOnce = acknowledged === null && injection.at % 2 === 1;
  await system.restart({ later: !repeatsAtOnce });
  const settle = async () => {
    const settled = await pollSettled(system, flow).reached;
    if (!settled) faults.push('the work does not settle');
    faults.push(...(await inconsistenciesIn(system)));
    return settled;
  };
  let stuck = !repeatsAtOnce && !(await settle());
  acknowledged ??= await send().catch((error: unknown) => `only the error ${String(error)}`);
  stuck ||= !(await settle());
  const effects = await flow.effects(system, learner, acknowledged).catch(String);
  if (effects.length !== 1 || effects[0] !== acknowledged) {
    faults.push(`${acknowledged} was acknowledged, but the effects are ${String(effects)}`);
  }
  const how = `${flow.name}, ${injection.kills ? 'killed' : 'failed'} at ${injection.at} (${where}, ${injection.fault})`;
  return { injected: wasInjected, faults: faults.map((fault) => `${how}: ${fault}`), stuck };
}

/** Polls until the flow has settled; `reached` is false after a timeout or after `giveUp`. */
function pollSettled(system: CrashSystem, flow: Flow) {
  let wanted = true;
  const reached = eventually(
    `${flow.name} has settled`,
    async () => !wanted || (await flow.isSettled(system)),
    { timeoutMs: settleTimeoutMs, intervalMs: 5 },
  ).then(
    () => wanted,
    () => false,
  );
  return {
    reached,
    giveUp: () => {
      wanted = false;
    },
  };
}

/** Returns differences between enrolment and the provider, and events that took effect twice. */
async function inconsistenciesIn(system: CrashSystem): Promise<string[]> {
  const rows = await system.query<{ guid: string }>(
    'SELECT registration_guid AS guid FROM enrolment.registrations',
  );
  const inEnrolment = new Set(rows.map((row) => row.guid));
  const atProvider = new Set(system.account.registrations.keys());
  const [counter] = await system.query<{ exists: boolean }>(
    `SELECT to_regclass('crawler.counted_events') IS NOT NULL AS exists`,
  );
  const twice = counter?.exists
    ? await system.query<{ what: string }>(
        `SELECT event || ' ' || subject AS what FROM crawler.counted_events
         WHERE event = 'registration created' GROUP BY event, subject HAVING count(*) > 1
         UNION ALL
         SELECT 'access changed more often than it did' FROM crawler.counted_events
         WHERE event = 'access changed'
         HAVING count(*) > (SELECT count(*) + 1 FROM identity.api_keys)`,
      )
    : [];
  return [
    ...[...inEnrolment]
      .filter((guid) => !atProvider.has(guid))
      .map((guid) => `${guid} exists only in enrolment`),
    ...[...atProvider]
      .filter((guid) => !inEnrolment.has(guid))
      .map((guid) => `${guid} exists only at the provider`),
    ...twice.map(({ what }) => `took effect twice: ${what}`),
  ];
}
