import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import type { FuzzRequest } from './fuzz-request.ts';

/** A response, or the error in its place. */
export interface Answer {
  /** 0 when the connection broke. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly ms: number;
  /** Why there is no response; null with one. */
  readonly fault: string | null;
}

/** Longer than any deadline of the service. */
const timeoutMs = 60_000;

/** How many addresses the requests with a valid access come from. */
const addresses = 12;

/** Sends requests over connections that are kept open. */
export class Sender {
  readonly #agent: Agent;

  constructor(private readonly ports: Readonly<Record<FuzzRequest['server'], readonly number[]>>) {
    this.#agent = new Agent({ keepAlive: true });
  }

  /** The origin that a request goes to. */
  originOf({ server, index }: FuzzRequest): string {
    const ports = this.ports[server];
    return `http://localhost:${ports[index % ports.length]}`;
  }

  async send(request: FuzzRequest, isRetry = false): Promise<Answer> {
    const begun = performance.now();
    const { method, path, body } = request;
    const { port } = new URL(this.originOf(request));
    const headers = [...request.headers];
    const names = headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    if (!names.includes('host')) headers.push('Host', `localhost:${port}`);
    if (body || method === 'POST' || method === 'PUT') {
      headers.push('Content-Length', String(body?.length ?? 0));
    }
    const sent = httpRequest({
      agent: this.#agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers,
      localAddress: addressOf(request),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return new Promise((resolve) => {
      const fail = (error: Error) => {
        // The server may close an idle connection at the moment of its use.
        if (sent.reusedSocket && !isRetry) resolve(this.send(request, true));
        else resolve({ ...none, ms: performance.now() - begun, fault: error.message });
      };
      sent.on('error', fail);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => {
          const { statusCode: status = 0, headers: fields } = response;
          const ms = performance.now() - begun;
          resolve({ status, headers: fields, body: Buffer.concat(chunks), ms, fault: null });
        });
      });
      sent.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/**
 * The address that a request comes from, among those of the loopback interface: one address may send
 * a limited number of requests, and fewer with a wrong access.
 */
const addressOf = ({ index, isRefused }: FuzzRequest): string =>
  isRefused
    ? `127.2.${(index >> 8) % 250}.${(index % 250) + 1}`
    : `127.1.0.${(index % addresses) + 1}`;

const none = { status: 0, headers: {}, body: Buffer.alloc(0) };
