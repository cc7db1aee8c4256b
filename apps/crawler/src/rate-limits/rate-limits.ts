import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { pauseAfter } from './pause.ts';
import { bucketSize, type Lane, takeTokens } from './token-bucket.ts';

/** As the database keeps a rate limit; times are milliseconds since the epoch, by its clock. */
interface RateLimit {
  readonly tokens: number;
  readonly refilledAt: number;
  readonly pausedUntil: number;
  readonly failures: number;
  readonly now: number;
}

/**
 * How fast each provider application may be called: one token bucket for each, which all replicas
 * share through the database, and a pause after failures.
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
   * @returns how many may be made now; when none, `wait` is the milliseconds until it is worth
   * asking again
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
        await this.database.query(
          `UPDATE rate_limits SET tokens = $2, refilled_at = to_timestamp($3::float8 / 1000)
           WHERE application_id = $1`,
          [applicationId, bucket.tokens, bucket.refilledAt],
        );
      }
      return { granted, wait };
    });
  }

  /** Leaves an application alone for a while, after a call of it failed with `error`. */
  slowDown(applicationId: number, error: unknown): Promise<void> {
    return this.database.transaction(async () => {
      const { now, pausedUntil, ...limit } = await this.lock(applicationId);
      // Calls that ran side by side fail side by side: together they are one failure.
      const failures = pausedUntil > now ? limit.failures : limit.failures + 1;
      await this.database.query(
        `UPDATE rate_limits
         SET failures = $2,
             paused_until = greatest(paused_until, clock_timestamp() + $3 * interval '1 s')
         WHERE application_id = $1`,
        [applicationId, failures, pauseAfter(error, Math.max(1, failures), Math.random())],
      );
    });
  }

  /** A call of the application has succeeded. */
  async recovered(applicationId: number): Promise<void> {
    await this.database.query(
      `UPDATE rate_limits SET failures = 0
       WHERE application_id = $1 AND failures > 0 AND paused_until <= clock_timestamp()`,
      [applicationId],
    );
  }

  /** The application's limit, made when it is the first time, and held until the commit. */
  private async lock(applicationId: number): Promise<RateLimit> {
    const [limit] = await this.database.query<RateLimit>(
      `INSERT INTO rate_limits AS r (application_id, tokens) VALUES ($1, $2)
       ON CONFLICT (application_id) DO UPDATE SET tokens = r.tokens
       RETURNING tokens, failures,
                 extract(epoch FROM refilled_at)::float8 * 1000 AS "refilledAt",
                 extract(epoch FROM paused_until)::float8 * 1000 AS "pausedUntil",
                 extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`,
      [applicationId, bucketSize(this.settings.CRAWL_RATE_PER_SECOND)],
    );
    if (!limit) throw new Error('an upsert answered no row');
    return limit;
  }
}
