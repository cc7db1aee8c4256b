import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { backoffAfter } from './backoff.ts';
import { bucketSize, type Lane, takeTokens } from './token-bucket.ts';

/** A rate limit with times in milliseconds since the epoch, by the clock of the database. */
const rateLimitRow = z.object({
  tokens: z.number(),
  failures: z.number(),
  refilledAt: z.number(),
  pausedUntil: z.number(),
  now: z.number(),
});

/**
 * Limits the calls of each provider application: one token bucket, which all replicas share
 * through the database, and a backoff after failures.
 */
@Injectable()
export class RateLimits {
  constructor(
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /**
   * Takes up to `wanted` calls.
   *
   * @returns the number of calls that may be made now; if none, `wait` is the number of
   * milliseconds until the next attempt can succeed
   */
  take(
    applicationId: number,
    wanted: number,
    lane: Lane,
  ): Promise<{ granted: number; wait: number }> {
    return this.database.transaction(async () => {
      const limit = await this.lock(applicationId);
      const { now } = limit;
      if (limit.pausedUntil > now) return { granted: 0, wait: limit.pausedUntil - now };
      const rate = this.settings.CRAWL_RATE_PER_SECOND;
      const { bucket, granted, wait } = takeTokens(limit, { now, rate, wanted, lane });
      if (granted > 0) {
        await this.database.execute(sql`
          UPDATE rate_limits
          SET tokens = ${bucket.tokens},
              refilled_at = to_timestamp(${bucket.refilledAt}::float8 / 1000)
          WHERE application_id = ${applicationId}`);
      }
      return { granted, wait };
    });
  }

  /** Backs off from an application after a call of it failed with `error`. */
  recordFailure(applicationId: number, error: unknown): Promise<void> {
    return this.database.transaction(async () => {
      const { now, pausedUntil, ...limit } = await this.lock(applicationId);
      // Concurrent calls fail together: they count as one failure.
      const failures = pausedUntil > now ? limit.failures : limit.failures + 1;
      const delay = backoffAfter(error, Math.max(1, failures), Math.random());
      await this.database.execute(sql`
        UPDATE rate_limits
        SET failures = ${failures},
            paused_until = greatest(paused_until, clock_timestamp() + ${delay} * interval '1 s')
        WHERE application_id = ${applicationId}`);
    });
  }

  /** Resets the backoff of an application after a call of it succeeded. */
  async recordSuccess(applicationId: number): Promise<void> {
    await this.database.execute(sql`
      UPDATE rate_limits SET failures = 0
      WHERE application_id = ${applicationId}
        AND failures > 0 AND paused_until <= clock_timestamp()`);
  }

  /** Returns the application's limit, which is created if missing, and locks it until the commit. */
  private lock(applicationId: number): Promise<z.output<typeof rateLimitRow>> {
    const fullBucket = bucketSize(this.settings.CRAWL_RATE_PER_SECOND);
    return this.database.one(
      rateLimitRow,
      sql`
        INSERT INTO rate_limits AS r (application_id, tokens)
        VALUES (${applicationId}, ${fullBucket})
        ON CONFLICT (application_id) DO UPDATE SET tokens = r.tokens
        RETURNING tokens, failures,
                  extract(epoch FROM refilled_at)::float8 * 1000 AS "refilledAt",
                  extract(epoch FROM paused_until)::float8 * 1000 AS "pausedUntil",
                  extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`,
    );
  }
}
