import * as z from 'zod';
import { requestEnvelope, requestOutcome } from '../envelope.ts';

/** A message of requests. The caller chooses their ids, and the replies repeat them. */
export const requestMessage = z.array(requestEnvelope.extend({ id: z.int() }));
export type RequestMessage = z.output<typeof requestMessage>;

/** The header of a returned message: the ids of those of its requests that are not started. */
export const unstartedHeader = 'registrar-unstarted';

/**
 * The header of a message whose receiver says at once that it has it: the number of the queue, and that of the message,
 * which the caller chooses.
 */
export const numberHeader = 'registrar-number';

/**
 * The headers by which a replica tells a caller, in a message without replies, what has become of its messages and
 * requests: the numbers of a message that it has received; the ids of requests that it has and has not answered yet; the
 * ids of requests that it does not handle, because another replica may have handled them meanwhile.
 */
export const signs = {
  received: 'registrar-received',
  inHand: 'registrar-in-hand',
  returned: 'registrar-returned',
} as const;

/** The ids in a header; none without the header. */
export const idsOf = (header: unknown): number[] =>
  typeof header === 'string' ? header.split(' ').map(Number) : [];

/** The header of a message of replies: the app that sent the requests, as the context that replies knows. */
export const recipientHeader = 'registrar-recipient';

/** A message of replies to one caller. */
export const replyMessage = z.array(requestOutcome.extend({ id: z.int() }));
export type Reply = z.output<typeof replyMessage>[number];
