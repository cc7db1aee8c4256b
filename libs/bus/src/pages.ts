import type { Page, PageRequest } from '#libs/contracts';

/** Reads a list through `ask`, one page ahead of its consumer. */
export async function* pagesOf<Item>(
  ask: (place: PageRequest) => Promise<Page<Item>>,
  limit: number,
): AsyncGenerator<Item[], void, undefined> {
  let next: Promise<Page<Item>> | null = ask({ cursor: null, limit });
  while (next) {
    const page: Page<Item> = await next;
    next = page.next === null ? null : ask({ cursor: page.next, limit });
    // A failure is told when the consumer comes for that page, if it comes.
    next?.catch(() => undefined);
    yield page.items;
  }
}
