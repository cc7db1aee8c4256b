import { wireFailure } from '#libs/contracts';
import * as z from 'zod';
import { requestEnvelope } from '../envelope.ts';

/** Requests that travel together. Their ids are the caller's own, and come back with the replies. */
export const requestMessage = z.array(requestEnvelope.extend({ id: z.int() }));
export type RequestMessage = z.output<typeof requestMessage>;

/** Replies that travel together. */
export const replyMessage = z.array(
  z.object({ id: z.int(), reply: z.unknown().optional(), failure: wireFailure.optional() }),
);
export type Reply = z.output<typeof replyMessage>[number];
