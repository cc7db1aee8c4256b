import { AsyncLocalStorage } from 'node:async_hooks';
import { runInRequestContext } from '@registrar/platform';
import type { RequestOrigin } from './request-id.ts';

/**
 * Reads the pages of a list while the response is being sent. Each page is requested in the
 * context of the request with a deadline of its own, so that the client of a long list may be slow. The
 * first page is read before this returns, so that its failure still becomes a status.
 *
 * @param pageTimeoutMs the deadline of each page
 */
export async function readPagesInContext<Page>(
  pages: AsyncIterable<Page>,
  origin: RequestOrigin,
  pageTimeoutMs: number,
): Promise<AsyncIterable<Page>> {
  const iterator = pages[Symbol.asyncIterator]();
  // Keeps the request's trace: the stream asks for pages from its own asynchronous context.
  const inRequest = AsyncLocalStorage.snapshot();
  const next = () =>
    inRequest(() =>
      runInRequestContext({ ...origin, deadline: Date.now() + pageTimeoutMs }, () =>
        iterator.next(),
      ),
    );
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let step = first; !step.done; step = await next()) yield step.value;
    } finally {
      await inRequest(() => iterator.return?.());
    }
  })();
}
