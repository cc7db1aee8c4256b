import type { Row } from '#libs/formats';
import type { Answer } from './operation.ts';

/**
 * A list filtered by a GUID that two parameters name, `id` and its own: filters combine with AND
 * (decision 16), so two different values match nothing.
 */
export function bothNames(
  id: string | undefined,
  guid: string | undefined,
  pages: (guid: string | undefined) => AsyncIterable<Row[]>,
): Answer {
  const contradicts = id !== undefined && guid !== undefined && id !== guid;
  return { pages: contradicts ? nothing() : pages(guid ?? id) };
}

// eslint-disable-next-line require-yield -- an empty list
async function* nothing(): AsyncGenerator<Row[]> {
  return;
}
