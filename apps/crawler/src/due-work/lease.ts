/** How long one piece of work may take: milliseconds. */
export const workTime = 45_000;

/**
 * How long a claim keeps other replicas away, if it is not renewed: seconds. Whoever works for one
 * renews it, so that only that of a replica that froze or died comes to an end before its work.
 */
export const leaseTime = 15;

/** How often it is renewed: milliseconds; often enough that two renewals may fail. */
export const renewalTime = 5_000;
