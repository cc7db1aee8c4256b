import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Target } from './target.ts';

/** A response with its whole body. The status is 0 when there was none: the connection broke, or time ran out. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | URLSearchParams | FormData;
}

const timeoutMs = 30_000;

/**
 * An HTTP client with an address of its own among those of the loopback interface, so that what one
 * client does counts against no other one.
 */
export class HttpClient {
  readonly #agent: Agent;

  /**
   * @param address such as 127.0.0.2
   * @param keepAlive whether connections are kept for further requests
   */
  constructor(
    private readonly target: Pick<Target, 'baseUrls'>,
    address: string,
    keepAlive = true,
  ) {
    this.#agent = new Agent({ keepAlive, localAddress: address });
  }

  /** Sends a request to the API, by the first gateway. */
  call(path: string, request: HttpRequest = {}): Promise<HttpResponse> {
    return this.send(`${apiOf(this.target)}${path}`, request);
  }

  /** Sends a request to this machine, with the name in the URL as its Host. Redirects are not followed. */
  async send(url: string, { method, headers, body }: HttpRequest = {}): Promise<HttpResponse> {
    const { host, port, pathname, search } = new URL(url);
    const encoded = body === undefined ? null : new Response(body);
    const type = encoded?.headers.get('content-type');
    const content = encoded && Buffer.from(await encoded.arrayBuffer());
    return new Promise((resolve) => {
      const fail = () => resolve({ status: 0, headers: {}, text: '' });
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          path: pathname + search,
          agent: this.#agent,
          method: method ?? (content ? 'POST' : 'GET'),
          headers: { host, ...(type && { 'content-type': type }), ...headers },
          timeout: timeoutMs,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', fail);
          response.on('end', () => {
            const { statusCode: status = 0, headers: fields } = response;
            resolve({ status, headers: fields, text: Buffer.concat(chunks).toString('utf8') });
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy());
      outgoing.on('error', fail);
      outgoing.end(content ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/**
 * The API that attackers and the bystander call. They share one gateway although there are others: a
 * gateway of its own would protect the bystander.
 */
export const apiOf = ({ baseUrls: [first = ''] }: Pick<Target, 'baseUrls'>): string =>
  first.replace('//localhost', '//127.0.0.1');

/** The query string or form of parameters. */
export const form = (parameters: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(parameters);
