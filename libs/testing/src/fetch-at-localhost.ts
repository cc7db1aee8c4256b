import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';

interface LocalRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a request to a subdomain of localhost. Browsers resolve all of them, Node resolves none, and
 * its `fetch` sets the Host header itself. Redirects are not followed.
 */
export async function fetchAtLocalhost(
  url: string,
  { method = 'GET', headers, body }: LocalRequest = {},
): Promise<Response> {
  const { host, port, pathname, search } = new URL(url);
  const sent = request({
    method,
    host: '127.0.0.1',
    port,
    path: pathname + search,
    headers: { ...headers, host },
    agent: false,
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const fields = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const status = answer.statusCode ?? 0;
  const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response([204, 304].includes(status) ? null : stream, { status, headers: fields });
}
