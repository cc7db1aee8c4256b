import ky, { type KyInstance, isHTTPError, isNetworkError, isTimeoutError } from 'ky';
import type { Credentials } from './access.ts';
import { encodeRequest } from './encode-request.ts';
import { operationTable, type OperationId } from './operation-table.ts';
import { RegistrarError } from './registrar-error.ts';

/** What a call can decide beside the parameters of its operation. */
export interface RequestOptions {
  /** Ends the call. Its promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /**
   * The key under which a change has one effect (contract/errors#idempotency-key). A program that may repeat a change
   * after its own restart keeps one; by default each call has a new one, which its retries share.
   */
  readonly idempotencyKey?: string;
}

/** Sends the requests of a client. */
export type Send = (
  id: OperationId,
  parameters: Readonly<Record<string, unknown>>,
  options?: RequestOptions,
) => Promise<Response>;

/** Longer than every deadline of the server, which answers with 504. */
const timeoutMs = 150_000;

/** Statuses after which the same request may succeed (contract/errors#idempotency-errors). */
const retriedStatuses = [503, 504];

const maxDelayMs = 10_000;

/**
 * Creates a function that sends requests, and repeats them after 503, 504 and failures of the network. A change carries
 * an `Idempotency-Key`, so that it has one effect.
 *
 * @param baseUrl the API root, such as `https://registrar.example.com/api/v2`
 * @param retries the greatest number of repetitions
 */
export function createSend(baseUrl: string, credentials: Credentials, retries: number): Send {
  const http = ky.create({
    prefix: baseUrl,
    timeout: timeoutMs,
    headers: { accept: 'application/json, application/problem+json', ...credentials.headers },
    retry: {
      limit: retries,
      methods: ['get', 'post', 'put', 'delete'],
      statusCodes: retriedStatuses,
      afterStatusCodes: retriedStatuses,
      backoffLimit: maxDelayMs,
      jitter: true,
    },
  });
  return (id, parameters, options = {}) =>
    send(http, id, { ...credentials.parameters, ...parameters }, options);
}

async function send(
  http: KyInstance,
  id: OperationId,
  parameters: Readonly<Record<string, unknown>>,
  { signal, idempotencyKey = crypto.randomUUID() }: RequestOptions,
): Promise<Response> {
  const [method, template] = operationTable[id];
  const { path, ...encoded } = encodeRequest(method, template, parameters);
  try {
    return await http(path, {
      method,
      ...encoded,
      ...(signal && { signal }),
      ...(method !== 'GET' && { headers: { 'idempotency-key': idempotencyKey } }),
    });
  } catch (error) {
    // These contain the request, and with it the credentials.
    if (isHTTPError(error)) throw RegistrarError.ofResponse(id, error.response, error.data);
    if (isTimeoutError(error)) throw RegistrarError.withoutResponse(id, 'no response in time');
    if (isNetworkError(error)) {
      throw RegistrarError.withoutResponse(id, 'no connection', error.cause);
    }
    throw error;
  }
}
