import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';

/** What a request to a launch may have; the names are those of `fetch`. */
interface LaunchRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect?: 'follow' | 'manual';
}

const timeoutMs = 150_000;

/**
 * Fetches a URL of a launch, as a browser does. A launch may be at a subdomain of localhost, which
 * browsers resolve and Node does not: then the request goes to localhost, with that name as its Host.
 */
export async function fetchLaunch(url: string, options: LaunchRequest = {}): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  if (!new URL(url).hostname.endsWith('.localhost')) return fetch(url, { ...options, signal });
  const response = await fetchAtLocalhost(url, options, signal);
  const location = response.headers.get('location');
  if (location === null || options.redirect === 'manual') return response;
  await response.body?.cancel();
  return fetchLaunch(new URL(location, url).href, { headers: options.headers ?? {} });
}

async function fetchAtLocalhost(
  url: string,
  { method = 'GET', headers, body }: LaunchRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { host, port, pathname, search } = new URL(url);
  const path = pathname + search;
  const sent = request({
    method,
    host: 'localhost',
    port,
    path,
    headers: { ...headers, host },
    signal,
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headersDistinct } = answer;
  const fields = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(stream, { status, headers: fields });
}
