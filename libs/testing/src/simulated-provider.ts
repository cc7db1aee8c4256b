import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SimulatedAccount, type SimulatedResponse } from './simulated-account.ts';

/** A request that the simulated provider received. */
export interface SimulatedRequest {
  /** Id of the application that sent the request; empty without credentials. */
  readonly appId: string;
  readonly method: string;
  /** Path below the API's root, such as `registrations/4711`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * A fault in place of a response: `drop` closes the connection at once, `lose` closes it after the
 * request was carried out. A response replaces the real one.
 */
export type SimulatedFault = SimulatedResponse | 'drop' | 'lose';

const apiRoot = '/api/v2/';

/**
 * A course provider in the test process. It serves version 2 of the provider's HTTP API over a real
 * socket, holds its data in memory, and fails as the suite sets.
 */
export class SimulatedProvider {
  /** All requests so far, in the order of arrival. */
  readonly requests: SimulatedRequest[] = [];
  /** Number of items in a page of a list. */
  pageSize = 100;
  /**
   * Called with every request before it is answered. Returns a fault, or undefined for the real
   * response; the request waits until a returned promise resolves.
   */
  intercept: (
    request: SimulatedRequest,
  ) => SimulatedFault | undefined | Promise<SimulatedFault | undefined> = () => undefined;

  readonly #accounts = new Map<string, SimulatedAccount>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<SimulatedProvider> {
    const provider = new SimulatedProvider();
    provider.#server.listen(0, '127.0.0.1');
    await once(provider.#server, 'listening');
    return provider;
  }

  /** Address without the path of the API. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  addAccount(appId: string): SimulatedAccount {
    const account = new SimulatedAccount(appId, () => this.pageSize);
    this.#accounts.set(appId, account);
    return account;
  }

  /** Returns the requests to a path, such as `registrations`, of one application or of all. */
  requestsTo(path: string, appId?: string): SimulatedRequest[] {
    return this.requests.filter(
      (request) => request.path === path && (appId === undefined || request.appId === appId),
    );
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const [appId = '', secretKey = ''] = basicCredentials(request.headers.authorization);
    const seen = {
      appId,
      method: request.method ?? '',
      path: url.pathname.startsWith(apiRoot) ? url.pathname.slice(apiRoot.length) : url.pathname,
      query: url.searchParams,
    };
    this.requests.push(seen);
    const fault = await this.intercept(seen);
    if (fault === 'drop') {
      request.socket.destroy();
      return;
    }
    const body = await buffer(request);
    const account = this.#accounts.get(appId);
    const isKnown = account?.secretKey === secretKey;
    const given = fault === 'lose' ? undefined : fault;
    const answer =
      given ??
      (isKnown
        ? await account.respond(seen, body, request.headers['content-type'] ?? '')
        : { status: 401, body: { message: 'Unauthorized' } });
    if (fault === 'lose') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  }
}

function basicCredentials(header = ''): string[] {
  const text = Buffer.from(header.replace(/^Basic /i, ''), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)];
}
