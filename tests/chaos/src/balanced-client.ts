import { form, type Parameters } from '@registrar/conformance';
import type { Ledger } from './ledger.ts';

/** Timeout of the client in milliseconds: longer than the timeout of any operation. */
const clientTimeoutMs = 130_000;

/** Timeouts of operations in the gateway and the tolerated overrun (docs/reliability.md, promise 5), in milliseconds. */
const operationTimeoutMs = 30_000;
const longOperationTimeoutsMs: Readonly<Record<string, number>> = {
  'invitation add_learners': 120_000,
};
const overrunToleranceMs = 250;

/** The error statuses that a valid request may get while a fault is active. */
const statusesUnderFaults = new Set([503, 504]);

/** The response body of an acknowledged operation, or the kind of error. */
export type CallResult =
  | { readonly done: true; readonly body: unknown }
  | { readonly done: false; readonly kind: string };

const connectErrors = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * Calls the API as a client behind a load balancer does: a gateway that refuses a connection is
 * skipped. Every result is recorded in the ledger.
 */
export class BalancedClient {
  #turn = 0;
  #accesses: readonly Parameters[];
  readonly #leaving = new Set<string>();

  constructor(
    private readonly baseUrls: readonly string[],
    access: Parameters,
    private readonly ledger: Ledger,
  ) {
    this.#accesses = [access];
  }

  /** Uses these access parameters from now on, in turns. */
  authenticate(...accesses: Parameters[]): void {
    this.#accesses = accesses;
  }

  get #access(): Parameters {
    return this.#accesses[this.#turn % this.#accesses.length] ?? {};
  }

  /** Sends no more requests to a gateway that is about to stop. */
  drain(baseUrl: string): void {
    this.#leaving.add(baseUrl);
  }

  restore(baseUrl: string): void {
    this.#leaving.delete(baseUrl);
  }

  /** Sends POST. A request with an idempotency key may be repeated with the same key. */
  post(
    operation: string,
    path: string,
    parameters: Parameters,
    idempotencyKey?: string,
  ): Promise<CallResult> {
    const body = form({ ...this.#access, ...parameters });
    const headers = {
      ...closeConnection,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    return this.#call(operation, () =>
      this.#balanced((root) =>
        fetch(root + path, { ...getOptions(), method: 'POST', body, headers }),
      ),
    );
  }

  get(operation: string, path: string, parameters: Parameters): Promise<CallResult> {
    const query = form({ ...this.#access, ...parameters }).toString();
    return this.#call(operation, () =>
      this.#balanced((root) => fetch(`${root}${path}?${query}`, getOptions())),
    );
  }

  /** Sends a request to the course provider, not to the API. */
  provider(operation: string, send: () => Promise<Response>): Promise<CallResult> {
    return this.#call(operation, send);
  }

  async #balanced(send: (root: string) => Promise<Response>): Promise<Response> {
    let refused: unknown;
    const first = (this.#turn += 1);
    const roots = this.baseUrls.filter((root) => !this.#leaving.has(root));
    for (const place of roots.keys()) {
      try {
        return await send(roots[(first + place) % roots.length] ?? '');
      } catch (error) {
        if (!connectErrors.has(errorKindOf(error))) throw error;
        refused = error;
      }
    }
    throw refused;
  }

  #time(operation: string, took: number): void {
    this.ledger.longestResponseMs = Math.max(this.ledger.longestResponseMs, took);
    if (took > (longOperationTimeoutsMs[operation] ?? operationTimeoutMs) + overrunToleranceMs) {
      this.ledger.late.push(`${operation}: ${took} ms`);
    }
  }

  async #call(operation: string, send: () => Promise<Response>): Promise<CallResult> {
    const begunAt = Date.now();
    const fail = (kind: string): CallResult => {
      this.ledger.errors.push({ operation, kind, begunAt, endedAt: Date.now() });
      return { done: false, kind };
    };
    try {
      const response = await send();
      const text = await response.text();
      this.#time(operation, Date.now() - begunAt);
      if (!response.ok) return fail(String(response.status));
      this.ledger.count(operation);
      return { done: true, body: text === '' ? null : (JSON.parse(text) as unknown) };
    } catch (error) {
      return fail(errorKindOf(error));
    }
  }
}

/**
 * Opens a connection for each request: an idle connection may be closed just as it is used, which
 * looks the same for a graceful shutdown as for a killed server.
 */
export const closeConnection = { connection: 'close' };

const getOptions = () => ({
  signal: AbortSignal.timeout(clientTimeoutMs),
  headers: closeConnection,
});

/** Returns the code or name of the error of a failed connection. */
function errorKindOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: string; message?: string }; name: string };
  return cause?.code ?? cause?.message ?? name;
}

/** Errors that no fault may cause: no response at all, and a response that cannot be parsed. */
const unexpectedErrors = new Set(['TimeoutError', 'SyntaxError']);

/** Tells whether an error is allowed while a fault is active: 503, 504 and broken connections. */
export const isExpectedUnderFaults = (kind: string): boolean =>
  statusesUnderFaults.has(Number(kind)) ||
  (Number.isNaN(Number(kind)) && !unexpectedErrors.has(kind));
