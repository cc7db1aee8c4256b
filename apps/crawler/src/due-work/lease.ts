/** How long one piece of work may take: milliseconds. */
export const workTime = 45_000;

/**
 * How long a claim keeps other replicas away: seconds. Longer than the work, so that only the
 * claim of a replica that froze or died comes to an end before its work.
 */
export const leaseTime = 60;
