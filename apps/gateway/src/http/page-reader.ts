import { AsyncLocalStorage } from 'node:async_hooks';
import type { Page } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import type { RequestOrigin } from './response-headers.ts';

/** A list of which the first page is read. */
export type BegunList<Row> =
  | { readonly whole: Row[] }
  /** The list has several pages, the first of which is among these. */
  | { readonly pages: AsyncIterable<Page<Row>> };

/** Reads the first page of a list, so that its failure still becomes a status. */
export async function beginList<Row>(pages: AsyncIterable<Page<Row>>): Promise<BegunList<Row>> {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return { whole: [] };
  if (first.value.next !== null) return { pages: resumed(first.value, iterator) };
  await iterator.return?.();
  return { whole: first.value.items };
}

async function* resumed<Page>(first: Page, rest: AsyncIterator<Page>): AsyncGenerator<Page> {
  try {
    yield first;
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * Reads the pages of a list while the response is being sent. Each page is requested in the
 * context of the request with a deadline of its own, so that the client of a long list may be slow.
 *
 * @param pageTimeoutMs the deadline of each page
 * @returns the rows of each page
 */
export function readRowsInContext<Row>(
  pages: AsyncIterable<Page<Row>>,
  origin: RequestOrigin,
  pageTimeoutMs: number,
): AsyncGenerator<Row[]> {
  const iterator = pages[Symbol.asyncIterator]();
  // Keeps the request's trace: the stream asks for pages from its own asynchronous context.
  const inRequest = AsyncLocalStorage.snapshot();
  const next = () =>
    inRequest(() =>
      runInRequestContext({ ...origin, deadline: clock.now() + pageTimeoutMs }, () =>
        iterator.next(),
      ),
    );
  return (async function* () {
    try {
      for (let step = await next(); !step.done; step = await next()) yield step.value.items;
    } finally {
      await inRequest(() => iterator.return?.());
    }
  })();
}
