import { generateMasterKey } from '@registrar/platform';
import { readFile, writeFile } from 'node:fs/promises';
import type { BalancedClient } from './balanced-client.ts';
import type { Ledger } from './ledger.ts';
import { rollReplicas } from './roll-replicas.ts';
import type { System } from './system.ts';

/** The result of changing the master key. */
export interface KeyChange {
  /** Number of provider secrets that were re-encrypted. */
  readonly resealed: number;
  /** Number of operations that were acknowledged meanwhile. */
  readonly served: number;
  /** Operations that failed meanwhile, and processes that did not exit with code 0. */
  readonly failures: readonly string[];
}

/** Changes the master key under load (docs/operations.md, "Changing the master key"). */
export async function changeMasterKey(
  system: System,
  masterKey: NonNullable<System['masterKey']>,
  ledger: Ledger,
  calls: BalancedClient,
): Promise<KeyChange> {
  const before = ledger.totalAcknowledged;
  const failures: string[] = [];
  const roll = async (...keys: string[]) => {
    await writeFile(masterKey.file, keys.join(''));
    failures.push(...(await rollReplicas(system, calls, masterKey.holders)));
  };
  const old = await readFile(masterKey.file, 'utf8');
  const next = generateMasterKey();
  await roll(old, next);
  await roll(next, old);
  const resealed = await masterKey.reseal();
  await roll(next);
  failures.push(...ledger.takeErrors());
  return { resealed, served: ledger.totalAcknowledged - before, failures };
}
