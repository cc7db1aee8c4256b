import { none, type Cells, type Play, type Row } from './table.ts';

/**
 * Plays packages, several at a time.
 *
 * @param concurrency how many are played at a time
 * @param played called after each
 * @returns a row for each, in their order
 */
export async function runPlays(
  plays: readonly Play[],
  concurrency: number,
  played: (row: Row) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  const waiting = plays.map((play, at) => ({ play, at }));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { play, at } = next;
      const seen = await play.play().catch(brokenOff);
      const row = { name: play.name, standard: play.standard, expected: play.expected, seen };
      rows[at] = row;
      played(row);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return rows;
}

const brokenOff = (error: unknown): Cells => ({
  completion: none,
  success: none,
  score: none,
  time: none,
  suspend: none,
  navigation: none,
  errors: `broke off: ${error instanceof Error ? error.message : String(error)}`,
});
