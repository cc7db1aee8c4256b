import type { Row } from '#libs/formats';
import { onePage } from './one-page.ts';
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
  return { pages: contradicts ? onePage([]) : pages(guid ?? id) };
}
