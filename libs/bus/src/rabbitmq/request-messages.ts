import { wireFailure } from '@registrar/contracts';
import * as z from 'zod';
import { requestEnvelope } from '../envelope.ts';

/** A message of requests. The caller chooses their ids, and the replies repeat them. */
export const requestMessage = z.array(requestEnvelope.extend({ id: z.int() }));
export type RequestMessage = z.output<typeof requestMessage>;

/** A message of replies to one caller. */
export const replyMessage = z.array(
  z.object({ id: z.int(), reply: z.unknown().optional(), failure: wireFailure.optional() }),
);
export type Reply = z.output<typeof replyMessage>[number];
