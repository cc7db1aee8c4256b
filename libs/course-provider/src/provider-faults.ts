import * as z from 'zod';
import { type ProviderFaultKind } from './course-provider-error.ts';

/** What is known of a fault before it is tied to the call that met it. */
export interface MetFault {
  readonly kind: ProviderFaultKind;
  readonly providerCode: string;
  readonly providerMessage: string;
  readonly retryAfter: number | null;
}

const longestMessage = 1000;

/** Errors carry `message`; a call without credentials was seen to get `error`. */
const errorBody = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
]);

/**
 * What an answer outside of 200 to 299 means.
 *
 * @param body the answer's text; a provider's own errors are JSON
 */
export function answerFault(status: number, body: string, retryAfter: string | null): MetFault {
  const said = errorBody.safeParse(jsonOrNull(body));
  const message = said.success ? said.data.slice(0, longestMessage) : '';
  return {
    kind: kindOf(status, said.success),
    providerCode: String(status),
    providerMessage: message || `HTTP status ${status}`,
    retryAfter: retryAfter === null ? null : secondsUntil(retryAfter, Date.now()),
  };
}

/**
 * A 404 tells that something is gone only when it is the provider's own: one of a proxy, or of a
 * wrong address, must not make us believe that registrations were deleted.
 */
function kindOf(status: number, isProvidersOwn: boolean): ProviderFaultKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return isProvidersOwn ? 'not-found' : 'unavailable';
  if (status === 429) return 'throttled';
  return status >= 400 && status < 500 ? 'refused' : 'unavailable';
}

/** A `Retry-After` header (RFC 9110, 10.2.3): seconds or a date; null when it is neither. */
export function secondsUntil(header: string, now: number): number | null {
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/** What it means that no answer came, or not all of it: `error` is what `fetch` threw. */
export function networkFault(error: unknown): MetFault {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  if (name === 'TimeoutError') return timeoutFault;
  return {
    kind: 'unavailable',
    providerCode: cause?.code ?? 'ENETWORK',
    providerMessage: 'the connection failed',
    retryAfter: null,
  };
}

export const timeoutFault: MetFault = {
  kind: 'timeout',
  providerCode: 'ETIMEDOUT',
  providerMessage: 'no answer in time',
  retryAfter: null,
};

/** What is named cannot be asked for: so the provider cannot hold it. */
export const unspeakableFault: MetFault = {
  kind: 'not-found',
  providerCode: '404',
  providerMessage: 'no such thing',
  retryAfter: null,
};

/** An answer that says it is a success and is not what the API describes. */
export const malformedFault = (status: number, what: string): MetFault => ({
  kind: 'unavailable',
  providerCode: String(status),
  providerMessage: `the answer is not one of the API, version 2: ${what}`,
  retryAfter: null,
});

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
