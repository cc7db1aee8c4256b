import { wireFailure } from '@registrar/contracts';
import * as z from 'zod';
import { requestEnvelope } from '../envelope.ts';

/** A message of requests. The caller chooses their ids, and the replies repeat them. */
export const requestMessage = z.array(requestEnvelope.extend({ id: z.int() }));
export type RequestMessage = z.output<typeof requestMessage>;

/** The header of a returned message: the ids of those of its requests that are not started. */
export const unstartedHeader = 'registrar-unstarted';

/** The header of a message of replies: the app that sent the requests, as the context that replies knows. */
export const recipientHeader = 'registrar-recipient';

/** A message of replies to one caller. */
export const replyMessage = z.array(
  z.object({ id: z.int(), reply: z.unknown().optional(), failure: wireFailure.optional() }),
);
export type Reply = z.output<typeof replyMessage>[number];
