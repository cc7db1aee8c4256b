import { consoleUserName, Failure, ipAddress, wireFailure } from '@registrar/contracts';
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
  /** Absent without an idempotency key of the client. */
  keyUse: z.object({ key: z.string(), parameters: z.string() }).optional(),
  /** Absent for requests that no client has caused. */
  clientAddress: ipAddress.optional(),
  /** The user of the console, which alone may say so. Absent for requests of other apps. */
  consoleUser: consoleUserName.optional(),
  /** The caller's span. Each request has its own, because a message may carry several requests. */
  trace: traceContextSchema.optional(),
  input: z.unknown(),
});
export type RequestEnvelope = Readonly<z.infer<typeof requestEnvelope>>;

/** A reply, which may be empty. */
const answer = z.object({
  reply: z.unknown().optional(),
  /** It is that of an earlier request under the same idempotency key. */
  isReplay: z.boolean().optional(),
});
export type Answer = z.output<typeof answer>;

/** What a request leads to: a failure or a reply. */
export const requestOutcome = answer.extend({ failure: wireFailure.optional() });
export type RequestOutcome = z.output<typeof requestOutcome>;

/** @throws {Failure} the failure of the outcome */
export function answerOf({ failure, ...answer }: RequestOutcome): Answer {
  if (failure) throw Failure.fromWire(failure);
  return answer;
}
