import { form, type Parameters } from '../conformance/client.ts';
import type { Ledger } from './ledger.ts';

/** The longest that any operation may take, and some more: milliseconds. */
const patience = 130_000;

/** How long an operation may take (apps/gateway), and by how much it may outlast that: milliseconds. */
const usualTime = 30_000;
const longTimes: Readonly<Record<string, number>> = { 'invitation add_learners': 120_000 };
const overrun = 250;

/** The statuses that a valid request may get while something is broken. */
const refusals = new Set([503, 504]);

/** What an operation's answer says, or why there is none. */
export type Told =
  { readonly done: true; readonly body: unknown } | { readonly done: false; readonly kind: string };

const never = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * Calls the API as a client behind a load balancer does: a gateway that takes no connection is
 * passed over. What comes of it is written into the ledger.
 */
export class Calls {
  #turn = 0;
  readonly #leaving = new Set<string>();

  constructor(
    private readonly baseUrls: readonly string[],
    private readonly access: Parameters,
    private readonly ledger: Ledger,
  ) {}

  /** Sends nothing more to a gateway that is about to be ended. */
  leave(baseUrl: string): void {
    this.#leaving.add(baseUrl);
  }

  comeBack(baseUrl: string): void {
    this.#leaving.delete(baseUrl);
  }

  /** Where it names an idempotency key, it may be repeated with the same one. */
  post(
    operation: string,
    path: string,
    parameters: Parameters,
    idempotencyKey?: string,
  ): Promise<Told> {
    const body = form({ ...this.access, ...parameters });
    const headers = {
      ...ownConnection,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    return this.#call(operation, () =>
      this.#balanced((root) => fetch(root + path, { ...limit(), method: 'POST', body, headers })),
    );
  }

  get(operation: string, path: string, parameters: Parameters): Promise<Told> {
    const query = form({ ...this.access, ...parameters }).toString();
    return this.#call(operation, () =>
      this.#balanced((root) => fetch(`${root}${path}?${query}`, limit())),
    );
  }

  /** Something that is asked of the provider, past the API. */
  provider(operation: string, ask: () => Promise<Response>): Promise<Told> {
    return this.#call(operation, ask);
  }

  async #balanced(send: (root: string) => Promise<Response>): Promise<Response> {
    let refused: unknown;
    const first = (this.#turn += 1);
    const roots = this.baseUrls.filter((root) => !this.#leaving.has(root));
    for (const place of roots.keys()) {
      try {
        return await send(roots[(first + place) % roots.length] ?? '');
      } catch (error) {
        if (!never.has(reasonOf(error))) throw error;
        refused = error;
      }
    }
    throw refused;
  }

  #time(operation: string, took: number): void {
    this.ledger.longestAnswer = Math.max(this.ledger.longestAnswer, took);
    if (took > (longTimes[operation] ?? usualTime) + overrun) {
      this.ledger.late.push(`${operation}: ${took} ms`);
    }
  }

  async #call(operation: string, send: () => Promise<Response>): Promise<Told> {
    const begunAt = Date.now();
    const fail = (kind: string): Told => {
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
      return fail(reasonOf(error));
    }
  }
}

/**
 * Each request has a connection of its own: one at rest may be closed just as it is used, and then
 * nobody can tell a server that went in order from one that was killed.
 */
export const ownConnection = { connection: 'close' };

const limit = () => ({ signal: AbortSignal.timeout(patience), headers: ownConnection });

/** Why a connection gave no answer. */
function reasonOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: string; message?: string }; name: string };
  return cause?.code ?? cause?.message ?? name;
}

/** An answer that does not come at all, and one that cannot be read. */
const defects = new Set(['TimeoutError', 'SyntaxError']);

/** Whether an error may be met while something is broken: refusals, and connections that end. */
export const isExpected = (kind: string): boolean =>
  refusals.has(Number(kind)) || (Number.isNaN(Number(kind)) && !defects.has(kind));
