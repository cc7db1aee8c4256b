import { createHash, randomUUID } from 'node:crypto';
import { ipAddress, type ListContract, type RequestContract } from '@registrar/contracts';
import {
  clock,
  currentRequestContext,
  currentTraceContext,
  traceContextSchema,
} from '@registrar/platform';
import * as z from 'zod';
import { defaultRequestTimeoutMs } from './bus-client.ts';

/** A request as it is sent. Times are milliseconds since the epoch. */
export const requestEnvelope = z.object({
  name: z.string(),
  deadline: z.number(),
  sentAt: z.number(),
  requestId: z.string(),
  idempotencyKey: z.string().optional(),
  /** Absent for requests that no client has caused. */
  clientAddress: ipAddress.optional(),
  /** The caller's span. Each request has its own, because a message may carry several requests. */
  trace: traceContextSchema.optional(),
  input: z.unknown(),
});
export type RequestEnvelope = Readonly<z.infer<typeof requestEnvelope>>;

/** Creates the envelope of a request from the current request context. */
export function createEnvelope(
  contract: RequestContract | ListContract,
  input: unknown,
): RequestEnvelope {
  const context = currentRequestContext();
  const sentAt = clock.now();
  const trace = currentTraceContext();
  return {
    name: contract.name,
    deadline: context?.deadline ?? sentAt + defaultRequestTimeoutMs,
    sentAt,
    requestId: context?.requestId ?? randomUUID(),
    ...(contract.kind === 'request' &&
      contract.idempotency && {
        idempotencyKey: requestKey(context?.idempotencyKey ?? randomUUID(), contract.name, input),
      }),
    ...(context?.clientAddress && { clientAddress: context.clientAddress }),
    ...(trace && { trace }),
    input,
  };
}

/**
 * Derives the idempotency key of one request from the key of its operation, which may send several.
 * The caller's scope is left out, because it may change before the operation is repeated.
 */
function requestKey(operationKey: string, name: string, input: unknown): string {
  const withoutScope = { ...(input as object), scope: undefined };
  const parts = JSON.stringify([operationKey, name, withoutScope]);
  return createHash('sha256').update(parts).digest('base64url');
}
