import type { OperationId } from './operation-table.ts';
import type { RequestOptions, Send } from './send.ts';

/** Number of records of a page, where the caller names none. */
const pageSize = 500;

/**
 * Reads the records of a list page by page (contract/parameters#paging), so that lists of any length take little memory.
 *
 * @throws {RegistrarError} when a page cannot be read
 */
export async function* listRecords(
  send: Send,
  id: OperationId,
  parameters: Readonly<Record<string, unknown>>,
  options?: RequestOptions,
): AsyncGenerator<unknown, void, undefined> {
  let cursor = parameters['cursor'];
  do {
    const response = await send(id, { limit: pageSize, ...parameters, cursor }, options);
    yield* (await response.json()) as unknown[];
    cursor = nextCursor(response);
  } while (cursor !== undefined);
}

/** The cursor of the next page; undefined after the last one. */
function nextCursor({ headers, url }: Response): string | undefined {
  const [, next] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (next === undefined) return undefined;
  return new URL(next, url).searchParams.get('cursor') ?? undefined;
}
