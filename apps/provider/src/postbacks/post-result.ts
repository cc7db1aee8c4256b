import { currentRequestContext, currentTraceContext, inSpan } from '@registrar/platform';
import type { RegistrationRecord } from '../registrations/registration-record.ts';
import type { AuthType } from './postback-request.ts';

/** Where a result is posted, with the credentials. */
export interface Receiver {
  readonly url: string;
  readonly authType: AuthType;
  readonly userName: string;
  readonly password: string;
}

/** How a receiver responded. */
export interface ReceiverResponse {
  readonly status: number;
  /** The delay that `Retry-After` asks for: milliseconds, 0 without the header. */
  readonly retryAfterMs: number;
}

/**
 * Posts a registration's record. A redirect is a response like any other, and is not followed.
 *
 * @throws {Error} if there is no response, with the cause that `fetch` gives
 */
export function postResult(
  receiver: Receiver,
  record: RegistrationRecord,
  signal: AbortSignal,
): Promise<ReceiverResponse> {
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
    const retryAfter = response.headers.get('retry-after') ?? '';
    return { status, retryAfterMs: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0 };
  });
}

function encode({ authType, userName, password }: Receiver, data: string) {
  if (authType === 'FORM') {
    const body = new URLSearchParams({ data, username: userName, password }).toString();
    return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
  }
  const credentials = Buffer.from(`${userName}:${password}`).toString('base64');
  const headers = {
    'content-type': 'application/json',
    authorization: `Basic ${credentials}`,
  };
  return { headers, body: data };
}
