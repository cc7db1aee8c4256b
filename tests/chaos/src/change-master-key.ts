import { generateMasterKey } from '@registrar/platform';
import { readFile, writeFile } from 'node:fs/promises';
import type { Ledger } from './ledger.ts';
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
  { processes }: System,
  masterKey: NonNullable<System['masterKey']>,
  ledger: Ledger,
): Promise<KeyChange> {
  const before = ledger.totalAcknowledged;
  const failures: string[] = [];
  const roll = async (...keys: string[]) => {
    await writeFile(masterKey.file, keys.join(''));
    // One replica of each app at a time.
    const replicaSets = Map.groupBy(
      processes.filter(({ name }) => masterKey.holders.some((app) => name.startsWith(`${app}-`))),
      ({ name }) => name.split('-').at(-1),
    );
    for (const replicas of replicaSets.values()) {
      await Promise.all(
        replicas.map(async (process) => {
          const code = await process.replace();
          if (code !== 0) failures.push(`${process.name} exited with ${String(code)}`);
          await process.ready();
        }),
      );
    }
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
