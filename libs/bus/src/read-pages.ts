import type { Page, PageRequest } from '@registrar/contracts';

/** The fewest items that a page is requested with after one that ended early. */
const minLimit = 16;

/**
 * The limit of the page after one. A page of long items ends before its limit. What its context has
 * looked at beyond its end was in vain, so the next one asks for little more than this one had.
 */
const nextLimit = (items: number, limit: number): number =>
  Math.min(limit, Math.max(minLimit, 2 * items));

/** Reads a list with `requestPage`, one page ahead of its consumer. */
export async function* readPages<Item>(
  requestPage: (page: PageRequest) => Promise<Page<Item>>,
  limit: number,
): AsyncGenerator<Page<Item>, void, undefined> {
  let next: Promise<Page<Item>> | null = requestPage({ cursor: null, limit });
  while (next) {
    const page: Page<Item> = await next;
    const { items, next: cursor } = page;
    next = cursor === null ? null : requestPage({ cursor, limit: nextLimit(items.length, limit) });
    // The failure is thrown when the consumer reads that page; until then it is no unhandled rejection.
    next?.catch(() => undefined);
    yield page;
  }
}
