/** The limits of one event: number of records, and characters of their JSON text. */
const eventLimit = { records: 100, characters: 1_000_000 };

/** Splits records into batches that fit into an event; a record over the limit is a batch alone. */
export function splitIntoBatches<Item>(items: readonly Item[], limit = eventLimit): Item[][] {
  const batches: Item[][] = [];
  let remaining = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    const last = batches.at(-1);
    if (last && last.length < limit.records && size <= remaining) {
      last.push(item);
      remaining -= size;
    } else {
      batches.push([item]);
      remaining = limit.characters - size;
    }
  }
  return batches;
}
