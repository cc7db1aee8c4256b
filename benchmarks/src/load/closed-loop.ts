import autocannon from 'autocannon';
import type { HttpLoad } from './http-load.ts';
import type { OnResponse } from './http-load-process.ts';

/** Longer than any measurement: the caller stops the loop. */
const endlessSeconds = 86_400;

/** How soon the loop stops: milliseconds. */
const stopWithinMs = 50;

/**
 * Starts clients that each send the next request when they have received the response.
 *
 * @returns stops the loop
 */
export function startClosedLoop(
  { requests }: HttpLoad,
  connections: number,
  onResponse: OnResponse,
): () => Promise<void> {
  const [first] = requests;
  if (!first) throw new Error('a load has no request');
  const ended = Promise.withResolvers<void>();
  const loop = autocannon(
    {
      url: new URL(first.url).origin,
      connections,
      duration: endlessSeconds,
      sampleInt: stopWithinMs,
      idReplacement: requests.some(({ body }) => body !== undefined),
      requests: requests.map(({ url, method = 'GET', body, headers = {} }) => ({
        path: url.slice(new URL(url).origin.length),
        method,
        headers: { ...headers },
        ...(body !== undefined && { body }),
      })),
    },
    () => ended.resolve(),
  );
  loop.on('response', (_client, status, _bytes, latencyMs) => onResponse(status, latencyMs));
  loop.on('reqError', (error: Error) => onResponse(error.message, 0));
  return () => {
    loop.stop();
    return ended.promise;
  };
}
