import { samplePackage, sampleNames } from '#libs/sample-courses';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../conformance/client.ts';
import { type Breakage, breakThings } from './break-things.ts';
import { Calls } from './calls.ts';
import { changeMasterKey, type KeyChange } from './change-master-key.ts';
import { compare, type Findings } from './compare.ts';
import { planFaults } from './faults.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { SeededRandom } from './random.ts';
import { rollingUpgrade, type Upgrade } from './rolling-upgrade.ts';
import type { System } from './system.ts';

/** How long the system has to settle when nothing is broken any more: milliseconds. */
const settlingTime = 60_000;

/**
 * How many clients work at the same time, and how many of them while processes are replaced: fewer, so
 * that processes which start find time for it.
 */
const clients = 24;
const upgradeClients = 3;

/** What a run has shown. */
export interface ChaosResult {
  readonly ledger: Ledger;
  readonly breakage: Breakage;
  readonly findings: Findings;
  /** Before anything was broken; null where all is one process. */
  readonly upgrade: Upgrade | null;
  /** After that, before anything was broken; null where all is one process. */
  readonly keyChange: KeyChange | null;
  /** Until the comparison found nothing any more, or was given up: milliseconds. */
  readonly settled: number;
  readonly minutes: number;
}

/** Upgrades the system and breaks it under load, and compares what it has with what it said. */
export async function runChaos(
  system: System,
  { minutes, seed }: { minutes: number; seed: number },
): Promise<ChaosResult> {
  const ledger = new Ledger();
  const { realm_guid, realm_secret_key } = system.facts;
  const calls = new Calls(system.baseUrls, { realm_guid, realm_secret_key }, ledger);
  const courses = await importCourses(system);
  const load = new Load(calls, ledger, new SeededRandom(seed), courses);
  load.add(upgradeClients);
  const upgrade = system.next && (await rollingUpgrade(system, system.next, ledger, calls));
  const { masterKey } = system;
  const keyChange = masterKey && (await changeMasterKey(system, masterKey, ledger));
  load.add(clients - upgradeClients);
  const plan = planFaults(system, new SeededRandom(seed));
  const breakage = await breakThings(system, plan, ledger, Date.now() + minutes * 60_000);
  const faultsEnded = new Date();
  await load.stop();
  const { findings, settled } = await settle(system, ledger, faultsEnded);
  return { ledger, breakage, findings, upgrade, keyChange, settled, minutes };
}

async function importCourses({ facts }: System): Promise<string[]> {
  const { base_url, realm_guid, realm_secret_key, course_guid } = facts;
  const second = 'second-course';
  const access = { realm_guid, realm_secret_key };
  const answer = await new Client(base_url).postMultipart(
    '/course.json',
    { ...access, course_guid: second },
    await samplePackage(sampleNames[0]),
  );
  if (answer.status !== 201) throw new Error(`no course could be imported: ${answer.status}`);
  return [course_guid, second];
}

async function settle(system: System, ledger: Ledger, faultsEnded: Date) {
  const databaseUrl = await system.databaseUrl();
  const begun = Date.now();
  for (;;) {
    const findings = await compare(ledger, databaseUrl, faultsEnded);
    const settled = Date.now() - begun;
    const isClean = Object.values(findings).every((found: readonly string[]) => found.length === 0);
    if (isClean || settled > settlingTime) return { findings, settled };
    await pause(500);
  }
}
