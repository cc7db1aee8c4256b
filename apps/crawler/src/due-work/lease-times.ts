/** How long one claimed piece of work may take. */
export const workTimeoutMs = 45_000;

/**
 * How long a claim excludes other replicas unless it is renewed. A working replica renews it, so a
 * lease expires before its work is done only if its replica hangs or dies.
 */
export const leaseSeconds = 15;

/** The interval of renewals: two in a row may fail before the lease expires. */
export const renewalIntervalMs = 5_000;
