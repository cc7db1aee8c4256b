import { randomUUID } from 'node:crypto';
import type { ListContract, RequestContract } from '#libs/contracts';
import { currentOperation } from '#libs/platform';
import * as z from 'zod';
import { defaultRequestTime } from './client.ts';

/** A request on its way; its times in milliseconds since the epoch. */
export const requestEnvelope = z.object({
  name: z.string(),
  deadline: z.number(),
  sentAt: z.number(),
  requestId: z.string(),
  idempotencyKey: z.string().optional(),
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
  return {
    name: contract.name,
    deadline: operation?.deadline ?? sentAt + defaultRequestTime,
    sentAt,
    requestId: operation?.requestId ?? randomUUID(),
    ...(contract.kind === 'request' &&
      contract.changes && { idempotencyKey: operation?.idempotencyKey ?? randomUUID() }),
    input,
  };
}
