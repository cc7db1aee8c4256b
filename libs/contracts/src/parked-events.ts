import * as z from 'zod';
import { busContexts, type Context, defineList, defineRequest } from './message.ts';

/**
 * Id of a parked event: `in-7` could not be handled by the context, `out-7` could not be delivered
 * to its subscribers. A parked event is one that was dead-lettered: the bus gave up on it after the
 * last retry and stored it with the reason.
 */
export const parkedEventId = z
  .string()
  .regex(/^(in|out)-\d{1,18}$/, 'not the id of a parked event: in-<number> or out-<number>');

export const parkedEventSummary = z.object({
  id: parkedEventId,
  context: z.string(),
  /** Name of the event; null for a message that is not an event. */
  event: z.string().nullable(),
  attempts: z.int(),
  parked_at: z.string(),
  reason: z.string(),
});
export type ParkedEventSummary = z.infer<typeof parkedEventSummary>;

/**
 * A parked event with its content: JSON text, or base64 when the message is not UTF-8. The content
 * may contain personal data.
 */
export const parkedEvent = parkedEventSummary.extend({
  message: z.string(),
  encoding: z.enum(['utf8', 'base64']),
});
export type ParkedEvent = z.infer<typeof parkedEvent>;

const parkedEventInput = z.object({ id: parkedEventId });

/**
 * Operator: the requests of a context for its parked events.
 *
 * @throws {Failure} `not-found` when there is no such parked event (all but `list`)
 */
const defineParkedEventRequests = (context: Context) => ({
  list: defineList(`${context}.parked-events`, {
    callers: ['console', 'operator'],
    input: z.object({}),
    item: parkedEventSummary,
  }),
  inspect: defineRequest(`${context}.inspect-parked-event`, {
    callers: ['console', 'operator'],
    input: parkedEventInput,
    reply: parkedEvent,
  }),
  /**
   * Handles a received event again, or sends an undelivered one again. The event is removed on
   * success. It stays parked when its handler fails again, and the request fails with that failure.
   */
  replay: defineRequest(`${context}.replay-parked-event`, {
    callers: ['console', 'operator'],
    input: parkedEventInput,
    reply: z.object({}),
    idempotency: 'natural',
  }),
  drop: defineRequest(`${context}.drop-parked-event`, {
    callers: ['console', 'operator'],
    input: parkedEventInput,
    reply: z.object({}),
    idempotency: 'natural',
  }),
});

export const parkedEventRequests = Object.fromEntries(
  busContexts.map((context) => [context, defineParkedEventRequests(context)]),
) as Readonly<Record<Context, ReturnType<typeof defineParkedEventRequests>>>;
