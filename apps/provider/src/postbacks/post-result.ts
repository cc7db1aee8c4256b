import { currentRequestContext, currentTraceContext, inSpan } from '@registrar/platform';
import type { RegistrationRecord } from '../registrations/registration-record.ts';

/** Where a result is posted, with the credentials. */
export interface Receiver {
  readonly url: string;
  /** The credentials are fields of a form, or those of Basic authentication. */
  readonly authType: 'form' | 'httpbasic';
  readonly userName: string;
  readonly password: string;
}

/** Why a delivery failed: a status, or the code of the connection's error. */
export interface Fault {
  readonly status?: number;
  readonly reason: string;
  /** The delay that `Retry-After` asks for: milliseconds, 0 without the header. */
  readonly retryAfterMs: number;
  readonly error?: unknown;
}

/**
 * Posts a registration's record. A redirect is a response like any other, and is not followed.
 *
 * @returns null for a response that takes the result: a 2xx or 3xx
 * @throws {Error} if there is no response, with the cause that `fetch` gives
 */
export function postResult(
  receiver: Receiver,
  record: RegistrationRecord,
  signal: AbortSignal,
): Promise<Fault | null> {
  const { hostname, port } = new URL(receiver.url);
  const attributes = {
    'http.request.method': 'POST',
    'server.address': hostname,
    ...(port && { 'server.port': Number(port) }),
  };
  const context = currentRequestContext();
  // The URL is not in the span: its path and its query may contain secrets.
  return inSpan({ name: 'POST postback', kind: 'client', attributes }, async (span) => {
    const { headers, body } = encode(receiver, JSON.stringify(record));
    const response = await fetch(receiver.url, {
      method: 'POST',
      headers: {
        ...headers,
        ...(context && { 'x-request-id': context.requestId }),
        ...currentTraceContext(),
      },
      body,
      redirect: 'manual',
      signal,
    });
    const { status } = response;
    span.setAttribute('http.response.status_code', status);
    await response.body?.cancel();
    if (status >= 200 && status < 400) return null;
    const retryAfter = response.headers.get('retry-after') ?? '';
    const retryAfterMs = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0;
    return { status, reason: `the receiver responded with ${status}`, retryAfterMs };
  });
}

function encode({ authType, userName: username, password }: Receiver, data: string) {
  if (authType === 'form') {
    const body = new URLSearchParams({ data, username, password }).toString();
    return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
  }
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = {
    'content-type': 'application/json',
    authorization: `Basic ${credentials}`,
  };
  return { headers, body: data };
}

/** Why there was no response. */
export function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') return 'the receiver did not respond in time';
  return cause?.code ?? message;
}
