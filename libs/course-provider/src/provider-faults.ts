import { clock } from '@registrar/platform';
import * as z from 'zod';
import { type ProviderFault, type ProviderFaultKind } from './course-provider-error.ts';

/** A fault without the call in which it occurred. */
export type FaultCause = Omit<ProviderFault, 'method' | 'url'>;

const maxMessageLength = 1000;

/** An error's body: `message`, or `error` when a call without credentials is rejected. */
const errorBody = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
]);

/**
 * Returns the fault of a response whose status is outside of 200 to 299.
 *
 * @param body the response's text; the provider's own errors are JSON
 * @param retryAfter the `Retry-After` header
 */
export function responseFault(status: number, body: string, retryAfter: string | null): FaultCause {
  const parsed = errorBody.safeParse(jsonOrNull(body));
  const message = parsed.success ? parsed.data.slice(0, maxMessageLength) : '';
  return {
    kind: faultKind(status, parsed.success && message !== unknownPathMessage),
    providerCode: String(status),
    providerMessage: message || `HTTP status ${status}`,
    retryAfter: retryAfter === null ? null : secondsUntil(retryAfter, clock.now()),
  };
}

/** The provider app's message for a path that is none of its API. */
const unknownPathMessage = 'There is no resource at this path.';

/**
 * Maps a status to a kind of fault. A 404 means `not-found` only with the provider's own error
 * body: the 404 of a proxy or of a wrong address must not make registrations look deleted.
 *
 * @param namesItem whether the body is the provider's, and not that of an unknown path
 */
function faultKind(status: number, namesItem: boolean): ProviderFaultKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return namesItem ? 'not-found' : 'unavailable';
  if (status === 429) return 'throttled';
  return status >= 400 && status < 500 ? 'refused' : 'unavailable';
}

/**
 * Returns the delay of a `Retry-After` header in seconds (RFC 9110, 10.2.3), or null when the
 * header is neither a number of seconds nor a date.
 *
 * @param now the current time in milliseconds since the epoch
 */
export function secondsUntil(header: string, now: number): number | null {
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Returns the fault of a call without a complete response.
 *
 * @param error the error that `fetch` threw
 */
export function networkFault(error: unknown): FaultCause {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  if (name === 'TimeoutError') return timeoutFault;
  return {
    kind: 'unavailable',
    providerCode: cause?.code ?? 'ENETWORK',
    providerMessage: 'the connection failed',
    retryAfter: null,
  };
}

/** The fault of a call that got no response in time. */
export const timeoutFault: FaultCause = {
  kind: 'timeout',
  providerCode: 'ETIMEDOUT',
  providerMessage: 'no response in time',
  retryAfter: null,
};

/** The fault of a call whose id cannot be written into a URL, so that no provider can hold it. */
export const unaddressableFault: FaultCause = {
  kind: 'not-found',
  providerCode: '404',
  providerMessage: 'the id cannot be part of a URL',
  retryAfter: null,
};

/** Returns the fault of a successful response whose body the API does not describe. */
export const malformedResponseFault = (status: number, issue: string): FaultCause => ({
  kind: 'unavailable',
  providerCode: String(status),
  providerMessage: `the response does not match version 2 of the API: ${issue}`,
  retryAfter: null,
});

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
