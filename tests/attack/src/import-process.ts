import { setTimeout as pause } from 'node:timers/promises';
import { type ImportAccess, Importer } from './importer.ts';

/** Packages that are imported again and again, by so many loops at a time. */
export interface ImportLoops {
  readonly access: ImportAccess;
  readonly zips: readonly Uint8Array[];
  readonly count: number;
}

/** The pause between the starts of loops: all bodies at once would be another attack. */
const staggerMs = 50;

let isOver = false;

/** Imports until it is told to stop, and then until the last imports have ended: a process of its own. */
process.on('message', (message: ImportLoops | 'stop') => {
  if (message === 'stop') isOver = true;
  else void repeat(message).then(() => process.disconnect());
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function repeat({ access, zips, count }: ImportLoops): Promise<void> {
  const importer = new Importer(access);
  const outcomes = new Map<string, number>();
  const loops = Array.from({ length: count }, async (_, loop) => {
    await pause(loop * staggerMs);
    for (let n = loop; !isOver; n += 1) {
      const { status } = await importer.import(zips[n % zips.length]!);
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    }
  });
  await Promise.all(loops);
  process.send?.(Object.fromEntries(outcomes));
}
