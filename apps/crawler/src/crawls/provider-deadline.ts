/** The part of the remaining time that is reserved for the reply. */
const replyFraction = 0.2;
const maxReplyMs = 1_000;

/**
 * Returns the deadline of requests to a provider, so that the reply still arrives in time, in
 * milliseconds since the epoch.
 *
 * @param remaining milliseconds until the deadline of the reply
 */
export const providerDeadline = (now: number, remaining: number): number =>
  now + remaining - Math.min(remaining * replyFraction, maxReplyMs);
