import { createHash, randomUUID } from 'node:crypto';
import type { ListContract, RequestContract } from '#libs/contracts';
import { currentOperation, currentPlace, tracePlace } from '#libs/platform';
import * as z from 'zod';
import { defaultRequestTime } from './client.ts';

/** A request on its way; its times in milliseconds since the epoch. */
export const requestEnvelope = z.object({
  name: z.string(),
  deadline: z.number(),
  sentAt: z.number(),
  requestId: z.string(),
  idempotencyKey: z.string().optional(),
  /** The asker's span: requests that travel together belong to different traces. */
  trace: tracePlace.optional(),
  input: z.unknown(),
});
export type RequestEnvelope = Readonly<z.infer<typeof requestEnvelope>>;

/** Puts a request into an envelope, as part of the current operation. */
export function envelopeFor(
  contract: RequestContract | ListContract,
  input: unknown,
): RequestEnvelope {
  const operation = currentOperation();
  const sentAt = Date.now();
  const trace = currentPlace();
  return {
    name: contract.name,
    deadline: operation?.deadline ?? sentAt + defaultRequestTime,
    sentAt,
    requestId: operation?.requestId ?? randomUUID(),
    ...(contract.kind === 'request' &&
      contract.changes && {
        idempotencyKey: requestKey(operation?.idempotencyKey ?? randomUUID(), contract.name, input),
      }),
    ...(trace && { trace }),
    input,
  };
}

/**
 * A request's own key: an operation may make several. What its caller reaches is left out, since
 * that may change before a repetition; who calls is in the operation's key.
 */
function requestKey(operationKey: string, name: string, input: unknown): string {
  const asked = { ...(input as object), scope: undefined };
  const parts = JSON.stringify([operationKey, name, asked]);
  return createHash('sha256').update(parts).digest('base64url');
}
