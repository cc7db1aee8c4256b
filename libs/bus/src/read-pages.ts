import type { Page, PageRequest } from '@registrar/contracts';

/** Reads a list with `requestPage`, one page ahead of its consumer. */
export async function* readPages<Item>(
  requestPage: (page: PageRequest) => Promise<Page<Item>>,
  limit: number,
): AsyncGenerator<Item[], void, undefined> {
  let next: Promise<Page<Item>> | null = requestPage({ cursor: null, limit });
  while (next) {
    const page: Page<Item> = await next;
    next = page.next === null ? null : requestPage({ cursor: page.next, limit });
    // The failure is thrown when the consumer reads that page; until then it is no unhandled rejection.
    next?.catch(() => undefined);
    yield page.items;
  }
}
