import { Failure } from '@registrar/contracts';

/** How many records of a list {@link singleRecord} reads. */
export const singleRecordPageSize = 2;

/**
 * Returns the record that a request names, from a list that is filtered by its id.
 *
 * @throws {Failure} `not-found` when the list is empty, or several provider applications hold a
 * record of that GUID
 */
export async function singleRecord<Row>(pages: AsyncIterable<Row[]>): Promise<Row> {
  for await (const [record, another] of pages) {
    if (record === undefined) break;
    if (another === undefined) return record;
    throw new Failure('not-found', 'several provider applications hold the record');
  }
  throw new Failure('not-found', 'no such record for this access');
}
