import { Failure, type Page } from '@registrar/contracts';

/** How many records of a list {@link singleRecord} reads at a time, and at most. */
export const singleRecordPageSize = 2;

/**
 * Returns the record that a request names, from a list that is filtered by its id.
 *
 * @throws {Failure} `not-found` when the list is empty, or several provider applications hold a
 * record of that GUID
 */
export async function singleRecord<Row>(pages: AsyncIterable<Page<Row>>): Promise<Row> {
  const found: Row[] = [];
  for await (const { items } of pages) {
    found.push(...items);
    if (found.length >= singleRecordPageSize) break;
  }
  const [record, another] = found;
  if (record === undefined) throw new Failure('not-found', 'no such record for this access');
  if (another === undefined) return record;
  throw new Failure('not-found', 'several provider applications hold the record');
}
