import { setTimeout as pause } from 'node:timers/promises';
import { importCourses } from './import-courses.ts';
import { type InjectedFaults, injectFaults } from './inject-faults.ts';
import { BalancedClient } from './balanced-client.ts';
import { changeMasterKey, type KeyChange } from './change-master-key.ts';
import { compare, type Findings } from './compare.ts';
import { planFaults } from './faults.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { SeededRandom } from '@registrar/testing';
import { rollingUpgrade, type Upgrade } from './rolling-upgrade.ts';
import { type Rotation, rotateSecrets } from './rotate-secrets.ts';
import type { System } from './system.ts';

/**
 * What differs between an idle machine and one that is busy with other work. `upgradeClients` send requests during
 * upgrades, when starting processes need the processors; `faultClients` join them for the faults. Each pauses after an
 * operation. Within `settleMs` after the last fault, the system must become consistent.
 */
const paces = {
  timed: {
    upgradeClients: { count: 3, pauseMs: 200 },
    faultClients: { count: 21, pauseMs: 50 },
    settleMs: 60_000,
  },
  untimed: {
    upgradeClients: { count: 3, pauseMs: 1_000 },
    faultClients: { count: 21, pauseMs: 500 },
    settleMs: 300_000,
  },
} as const;

/** The result of a run. */
export interface ChaosResult {
  readonly ledger: Ledger;
  readonly injected: InjectedFaults;
  readonly findings: Findings;
  /** The processes that an error of theirs ended. */
  readonly crashes: readonly string[];
  /** The upgrade before the faults; null for the standalone form. */
  readonly upgrade: Upgrade | null;
  /** The change of the master key after the upgrade; null for the standalone form. */
  readonly keyChange: KeyChange | null;
  /** The rotations of the other secrets, if the run includes them. */
  readonly rotations: readonly Rotation[];
  /** Time in milliseconds until a comparison found no violation, or until the timeout. */
  readonly settledMs: number;
  readonly minutes: number;
}

export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Whether to rotate all secrets. */
  readonly rotate: boolean;
  /** Whether the promises about durations are checked. */
  readonly isTimed: boolean;
}

/** Upgrades the system and injects faults under load, then compares its data with the acknowledged operations. */
export async function runChaos(
  system: System,
  { minutes, seed, rotate, isTimed }: ChaosOptions,
): Promise<ChaosResult> {
  const ledger = new Ledger();
  const { realm_guid, realm_secret_key } = system.facts;
  const calls = new BalancedClient(system.baseUrls, { realm_guid, realm_secret_key }, ledger);
  const courses = await importCourses(system);
  const load = new Load(calls, ledger, new SeededRandom(seed), courses);
  const { upgradeClients, faultClients, settleMs } = paces[isTimed ? 'timed' : 'untimed'];
  load.add(upgradeClients.count, upgradeClients.pauseMs);
  const upgrade = system.next && (await rollingUpgrade(system, system.next, ledger, calls));
  const { masterKey } = system;
  const keyChange = masterKey && (await changeMasterKey(system, masterKey, ledger, calls));
  const rotations =
    rotate && system.rotation ? await rotateSecrets(system, system.rotation, ledger, calls) : [];
  load.add(faultClients.count, faultClients.pauseMs);
  const plan = planFaults(system, new SeededRandom(seed));
  const injected = await injectFaults(system, plan, ledger, Date.now() + minutes * 60_000);
  const faultsEnded = new Date();
  await load.stop();
  const { findings, settled } = await settle(system, ledger, faultsEnded, settleMs);
  const crashes = system.processes.flatMap((process) => process.crashes);
  const changes = { upgrade, keyChange, rotations };
  return { ledger, injected, findings, crashes, ...changes, settledMs: settled, minutes };
}

async function settle(system: System, ledger: Ledger, faultsEnded: Date, timeoutMs: number) {
  const databaseUrl = await system.databaseUrl();
  const begun = Date.now();
  for (;;) {
    const findings = await compare(ledger, databaseUrl, faultsEnded);
    const settled = Date.now() - begun;
    const isClean = Object.values(findings).every((found: readonly string[]) => found.length === 0);
    if (isClean || settled > timeoutMs) return { findings, settled };
    await pause(500);
  }
}
