import { generateMasterKey } from '#libs/platform';
import { readFile, writeFile } from 'node:fs/promises';
import type { Ledger } from './ledger.ts';
import type { System } from './system.ts';

/** What came of a change of the master key. */
export interface KeyChange {
  /** How many secrets of provider applications were sealed anew. */
  readonly resealed: number;
  /** How many operations were acknowledged meanwhile. */
  readonly served: number;
  /** Operations that failed meanwhile, and processes that did not end in order. */
  readonly failures: readonly string[];
}

/** Changes the master key while clients go on (docs/operations.md, "Changing the master key"). */
export async function changeMasterKey(
  { processes }: System,
  masterKey: NonNullable<System['masterKey']>,
  ledger: Ledger,
): Promise<KeyChange> {
  const before = ledger.sum;
  const failures: string[] = [];
  const roll = async (...keys: string[]) => {
    await writeFile(masterKey.file, keys.join(''));
    // One replica of each app at a time.
    const places = Map.groupBy(
      processes.filter(({ name }) => masterKey.holders.some((app) => name.startsWith(`${app}-`))),
      ({ name }) => name.split('-').at(-1),
    );
    for (const replicas of places.values()) {
      await Promise.all(
        replicas.map(async (process) => {
          const code = await process.replace();
          if (code !== 0) failures.push(`${process.name} ended with ${String(code)}`);
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
  return { resealed, served: ledger.sum - before, failures };
}
