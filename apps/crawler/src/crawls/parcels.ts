/** What one event holds at most: records, and characters of their JSON text. */
const most = { records: 100, characters: 1_000_000 };

/** Divides records into parcels that are small enough for an event; a larger record goes alone. */
export function inParcels<Item>(items: readonly Item[], limit = most): Item[][] {
  const parcels: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    const last = parcels.at(-1);
    if (last && last.length < limit.records && size <= room) {
      last.push(item);
      room -= size;
    } else {
      parcels.push([item]);
      room = limit.characters - size;
    }
  }
  return parcels;
}
