import { AsyncLocalStorage } from 'node:async_hooks';
import { runOperation } from '#libs/platform';

/**
 * Pages that are read while the answer is being sent, after the request's own operation is over:
 * each is asked for under the request's id, with a deadline of its own, so that a slow reader of
 * a long list is not cut off. The first page is there when this returns: what fails there can
 * still become a status.
 *
 * @param time what a page may take: milliseconds
 */
export async function pagesInOperation<Page>(
  pages: AsyncIterable<Page>,
  requestId: string,
  time: number,
): Promise<AsyncIterable<Page>> {
  const iterator = pages[Symbol.asyncIterator]();
  // The request's trace goes on, wherever the reader's wish for more comes from.
  const inside = AsyncLocalStorage.snapshot();
  const next = () =>
    inside(() => runOperation({ requestId, deadline: Date.now() + time }, () => iterator.next()));
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let step = first; !step.done; step = await next()) yield step.value;
    } finally {
      await iterator.return?.();
    }
  })();
}
