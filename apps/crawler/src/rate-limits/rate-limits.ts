import { CourseProviderError } from '@registrar/course-provider';
import { Database, sql, type Sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { isOfLoad, lowerRate, successesToFullRate } from './adaptive-rate.ts';
import { backoffAfter } from './backoff.ts';
import { bucketSize, type Lane, takeTokens } from './token-bucket.ts';

/** A rate limit with times in milliseconds since the epoch, by the clock of the database. */
const rateLimitRow = z.object({
  tokens: z.number(),
  failures: z.number(),
  /** Calls per second: to which failures have lowered it, and as configured. */
  rate: z.number().nullable(),
  configuredRate: z.number(),
  refilledAt: z.number(),
  pausedUntil: z.number(),
  probeUntil: z.number(),
  now: z.number(),
});

/** How long the result of the only call after a failure is awaited: longer than a call may take. */
const probeMs = 35_000;

/** When to look again whether it has succeeded. */
const probeCheckMs = 250;

/**
 * Limits the calls of each provider application: one token bucket, which all replicas share
 * through the database, and a backoff after failures. After the backoff, one call is out at a time
 * until one succeeds. Failures that come from load lower the rate, and successes raise it again.
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
      const { now, failures } = limit;
      if (limit.pausedUntil > now) return { granted: 0, wait: limit.pausedUntil - now };
      if (limit.probeUntil > now) return { granted: 0, wait: probeCheckMs };
      const isProbe = failures > 0;
      const { bucket, granted, wait } = takeTokens(limit, {
        ...{ now, lane, rate: limit.rate ?? limit.configuredRate },
        wanted: isProbe ? 1 : wanted,
      });
      if (granted > 0) {
        await this.database.execute(sql`
          UPDATE rate_limits
          SET tokens = ${bucket.tokens},
              refilled_at = to_timestamp(${bucket.refilledAt}::float8 / 1000),
              probe_until = CASE WHEN ${isProbe}
                THEN clock_timestamp() + ${probeMs} * interval '1 ms' ELSE probe_until END
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
      const isNew = pausedUntil <= now;
      const failures = isNew ? limit.failures + 1 : limit.failures;
      const delay = backoffAfter(error, Math.max(1, failures), Math.random());
      const kind = error instanceof CourseProviderError ? error.fault.kind : null;
      const rate = limit.rate ?? limit.configuredRate;
      const lowered = isNew && kind !== null && isOfLoad(kind) ? lowerRate(rate) : limit.rate;
      await this.database.execute(sql`
        UPDATE rate_limits
        SET failures = ${failures}, fault = ${kind}, rate = ${lowered},
            probe_until = '-infinity',
            paused_until = greatest(paused_until, clock_timestamp() + ${delay} * interval '1 s')
        WHERE application_id = ${applicationId}`);
    });
  }

  /** Ends the backoff of an application after a call of it succeeded, and raises a lowered rate. */
  async recordSuccess(applicationId: number): Promise<void> {
    const raised = sql`rate + ${this.configuredRate(applicationId)} / ${successesToFullRate}`;
    await this.database.execute(sql`
      UPDATE rate_limits
      SET failures = 0, fault = NULL, probe_until = '-infinity',
          rate = CASE WHEN ${raised} < ${this.configuredRate(applicationId)} THEN ${raised} END
      WHERE application_id = ${applicationId}
        AND (failures > 0 OR rate IS NOT NULL) AND paused_until <= clock_timestamp()`);
  }

  /** Ends the backoff of applications whose credentials were not accepted: they may have changed. */
  async retryUnauthorized(): Promise<void> {
    await this.database.execute(sql`
      WITH retried AS (
        UPDATE rate_limits SET paused_until = now(), probe_until = '-infinity'
        WHERE fault = 'unauthorized'
        RETURNING application_id
      )
      UPDATE applications AS a SET serve_after = '-infinity'
      FROM retried WHERE a.id = retried.application_id`);
  }

  /** SQL of the configured rate of an application. */
  private configuredRate(applicationId: number): Sql {
    return sql`coalesce(
      (SELECT a.rate_per_second FROM applications AS a WHERE a.id = ${applicationId}),
      ${this.settings.CRAWL_RATE_PER_SECOND}
    )::float8`;
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
        RETURNING tokens, failures, rate,
                  ${this.configuredRate(applicationId)} AS "configuredRate",
                  extract(epoch FROM refilled_at)::float8 * 1000 AS "refilledAt",
                  extract(epoch FROM paused_until)::float8 * 1000 AS "pausedUntil",
                  CASE WHEN isfinite(probe_until)
                    THEN extract(epoch FROM probe_until)::float8 * 1000 ELSE 0 END AS "probeUntil",
                  extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`,
    );
  }
}
