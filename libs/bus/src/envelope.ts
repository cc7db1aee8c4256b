import { Failure, ipAddress, wireFailure } from '@registrar/contracts';
import { traceContextSchema } from '@registrar/platform';
import * as z from 'zod';

/** A request as it is sent. Times are milliseconds since the epoch. */
export const requestEnvelope = z.object({
  name: z.string(),
  deadline: z.number(),
  sentAt: z.number(),
  requestId: z.string(),
  idempotencyKey: z.string().optional(),
  /** Whether the key was made for this request, so that no client repeats it. */
  isPrivateKey: z.boolean().optional(),
  /** Absent for requests that no client has caused. */
  clientAddress: ipAddress.optional(),
  /** The caller's span. Each request has its own, because a message may carry several requests. */
  trace: traceContextSchema.optional(),
  input: z.unknown(),
});
export type RequestEnvelope = Readonly<z.infer<typeof requestEnvelope>>;

/** What a request leads to: a failure, or a reply, which may be empty. */
export const requestOutcome = z.object({
  reply: z.unknown().optional(),
  failure: wireFailure.optional(),
});
export type RequestOutcome = z.output<typeof requestOutcome>;

/** @throws {Failure} the failure of the outcome */
export function replyOf({ reply, failure }: RequestOutcome): unknown {
  if (failure) throw Failure.fromWire(failure);
  return reply;
}
