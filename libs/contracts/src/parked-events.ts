import * as z from 'zod';
import { type Context, defineList, defineRequest } from './message.ts';

/**
 * A parked event, by the way it could not go: `in-7` is one that the context could not handle,
 * `out-7` one that it could not get to its subscribers.
 */
export const parkedId = z.string().regex(/^(in|out)-\d{1,18}$/, 'It is no id of a parked event.');

export const parkedSummary = z.object({
  id: parkedId,
  context: z.string(),
  /** What it says it is; null for a message that is no event. */
  event: z.string().nullable(),
  attempts: z.int(),
  parked_at: z.string(),
  reason: z.string(),
});
export type ParkedSummary = z.infer<typeof parkedSummary>;

/** The event as it came: JSON text, or base64 where the message is no UTF-8. It may tell of people. */
export const parkedEvent = parkedSummary.extend({
  message: z.string(),
  encoding: z.enum(['utf8', 'base64']),
});
export type ParkedEvent = z.infer<typeof parkedEvent>;

const one = z.object({ id: parkedId });

/** For the operator: what a context has parked, and what to do about it. All fail with `not-found`. */
const aboutParked = (context: Context) => ({
  list: defineList(`${context}.parked-events`, { input: z.object({}), item: parkedSummary }),
  inspect: defineRequest(`${context}.inspect-parked-event`, { input: one, reply: parkedEvent }),
  /**
   * Handles an event that came in, or sends one on its way that could not get out. It leaves the
   * place to park when that is done, and stays if its handler fails again, which is the failure.
   */
  replay: defineRequest(`${context}.replay-parked-event`, {
    input: one,
    reply: z.object({}),
    changes: 'again',
  }),
  drop: defineRequest(`${context}.drop-parked-event`, {
    input: one,
    reply: z.object({}),
    changes: 'again',
  }),
});
export type AboutParked = ReturnType<typeof aboutParked>;

export const parkedEvents: Readonly<Record<Context, AboutParked>> = {
  identity: aboutParked('identity'),
  catalog: aboutParked('catalog'),
  enrolment: aboutParked('enrolment'),
  crawler: aboutParked('crawler'),
  provider: aboutParked('provider'),
};
