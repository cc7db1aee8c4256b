import * as z from 'zod';

const count = (most: number) => z.int().min(1).max(most);

/**
 * What an operator has set for one realm in place of the installation's defaults. A limit that is
 * absent has its default.
 */
export const realmLimits = z
  .object({
    /** Requests per second, of all keys and pairs together; the realm pair has no other limit. */
    requestsPerSecond: count(100_000),
    /** Requests per second of each API key, and of each provider pair. */
    requestsPerSecondOfKey: count(100_000),
    /** Requests that are worked on at a time. */
    requestsInHand: count(10_000),
    /** The realm's part of a loaded system, in relation to those of others; 1 by default. */
    weight: count(100),
    /** Rows of the results of stored queries that are kept. */
    queryRows: count(100_000_000),
    /** Megabytes (2^20 bytes) of these results. */
    queryMegabytes: count(100_000),
    /** Uploaded packages that wait for their import. */
    uploads: count(10_000),
    /** Megabytes (2^20 bytes) of these packages. */
    uploadMegabytes: count(1_000_000),
  })
  .partial();
export type RealmLimits = z.infer<typeof realmLimits>;
