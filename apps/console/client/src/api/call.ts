import type { CallInput, CallName, CallReply } from '../../../src/calls/calls.ts';
import type { CallFailure } from '../../../src/calls/define-call.ts';

/** A call failed: the server refused it, or nothing answered. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** A code of `Failure`, `signed-out`, or `unreachable` when no answer of the console arrived. */
  readonly code: string;
  /** Null when no answer of the console arrived. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, requestId, retryAfterSeconds }: Unanswered | CallFailure) {
    super(message);
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Unanswered {
  readonly code: 'unreachable';
  readonly message: string;
  readonly requestId: null;
  readonly retryAfterSeconds?: undefined;
}

/** The address of a path of the console's server. */
export const addressOf = (path: string): string => new URL(path, document.baseURI).href;

const isFailure = (value: unknown): value is CallFailure =>
  typeof value === 'object' && value !== null && 'code' in value && 'requestId' in value;

/**
 * Sends JSON to the console's server, or nothing for a GET, and returns its JSON.
 *
 * @throws {CallError}
 */
export async function send(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  let response: Response;
  let reply: unknown;
  try {
    response = await fetch(addressOf(path), {
      method,
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      }),
      ...(signal && { signal }),
    });
    reply = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError({
      code: 'unreachable',
      message: error instanceof Error ? error.message : String(error),
      requestId: null,
    });
  }
  if (response.ok) return reply;
  if (isFailure(reply)) throw new CallError(reply);
  throw new CallError({ code: 'unreachable', message: response.statusText, requestId: null });
}

/**
 * Makes a call of the console's server.
 *
 * @throws {CallError}
 */
export const call = async <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  signal?: AbortSignal,
): Promise<CallReply<Name>> =>
  (await send('POST', `api/calls/${name}`, input, signal)) as CallReply<Name>;
