import { CourseProviderError } from '@registrar/course-provider';
import { Database, sql, type Sql } from '@registrar/persistence';
import { clock, remainingTimeMs } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { isOfLoad, lowerRate, successesToFullRate } from './adaptive-rate.ts';
import { backoffAfter } from './backoff.ts';
import { bucketSize, burstFraction, refill, refillRate, waitForCall } from './token-bucket.ts';

/** A rate limit with times in milliseconds since the epoch, by the clock of the database. */
const rateLimitRow = z.object({
  tokens: z.number(),
  crawlTokens: z.number().nullable(),
  failures: z.number(),
  fault: z.string().nullable(),
  /** Calls per second of crawls: to which failures have lowered it, and as configured. */
  rate: z.number().nullable(),
  configuredRate: z.number(),
  /** Calls per second of crawls and clients together, as configured. */
  limit: z.number(),
  refilledAt: z.number(),
  pausedUntil: z.number(),
  probeUntil: z.number(),
  interactiveUntil: z.number(),
  now: z.number(),
  idleWithLock: z.string(),
});
type RateLimitRow = z.output<typeof rateLimitRow>;

const takenRow = z.object({ granted: z.number() });

const faultOfPauseRow = z.object({ errorCode: z.string(), errorMessage: z.string() });
type FaultOfPause = z.infer<typeof faultOfPauseRow>;

/**
 * Who makes a call: a crawl in the background, a crawl for a client that waits for it, or another context for a
 * client that waits. The last one is not held back by failures of crawls, but by `Retry-After`.
 */
export type Lane = 'background' | 'on-demand' | 'client';

/** The number of calls that may be made now; if none, the milliseconds until the next attempt can succeed. */
export interface TakenCalls {
  readonly granted: number;
  readonly wait: number;
  /** Whether a failure or another caller holds the call back, rather than the limit. */
  readonly isPaused: boolean;
}

/** How long the result of the only call after a failure is awaited: longer than a call may take. */
const probeMs = 35_000;

/** When to look again whether it has succeeded. */
const probeCheckMs = 250;

/** How long crawls yield to a waiting client. */
const precedenceMs = 100;

/** How long a crawl waits for a call, rather than to give its place to another one: milliseconds. */
const briefWaitMs = 250;

/**
 * The longest pause between two statements that hold an application's lock: the database ends the transaction of a
 * replica that is frozen meanwhile, for which all callers would wait.
 */
const idleWithLock = '1s';

/** The part of all calls that crawls may use at most. */
const crawlFraction = 0.75;

/**
 * Limits the calls of each provider application by two token buckets, which all replicas share through the
 * database: one for all calls, and one for crawls in the background. After a failure, crawls pause; then one
 * call is out at a time until one succeeds. Failures that come from load lower the rate, and successes raise
 * it again.
 */
@Injectable()
export class RateLimits {
  constructor(
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** Takes up to `wanted` calls, which must be made at once. */
  take(applicationId: number, wanted: number, lane: Lane): Promise<TakenCalls> {
    return this.database.transaction(async () => {
      const row = await this.lock(applicationId);
      const pause = pauseOf(row, lane);
      if (pause > 0) return { granted: 0, wait: pause, isPaused: true };
      const isProbe = row.failures > 0 && lane !== 'client';
      return this.takeFrom(applicationId, row, { wanted: isProbe ? 1 : wanted, lane, isProbe });
    });
  }

  /**
   * Takes calls for clients, by one statement that does not wait for the disk: what a crash forgets is refilled
   * within a second. Of calls to spare, at most half of the others that the bucket holds, so that the next caller
   * finds some.
   *
   * @returns how many were taken; 0 when fewer than `wanted` are available, or the application is not known yet
   */
  async takeAtOnce(applicationId: number, wanted: number, spare: number): Promise<number> {
    const { APPLICATION_CALLS_PER_SECOND: limit } = this.settings;
    const elapsed = sql`greatest(0, extract(epoch FROM clock_timestamp() - held.refilled_at))::float8`;
    // As limitsOf() and refill(), with the row as it is when its lock has been awaited.
    const lowered = sql`coalesce(held.rate, c.rate)`;
    const all = sql`(c.calls * least(1, ${lowered} / c.rate))`;
    const crawls = sql`least(${lowered}, ${all} * ${crawlFraction}::float8)`;
    const refilled = (tokens: Sql, most: Sql) => sql`
      least(greatest(1, ${most} * ${burstFraction}::float8),
            ${tokens} + ${elapsed} * ${most} * ${refillRate(1)}::float8)`;
    const taken = await this.database.maybeOne(
      takenRow,
      sql`
        WITH held AS (
          SELECT tokens, crawl_tokens, refilled_at, rate FROM rate_limits
          WHERE application_id = ${applicationId} AND crawl_tokens IS NOT NULL
            AND (fault IS DISTINCT FROM 'throttled' OR paused_until <= clock_timestamp())
          FOR NO KEY UPDATE
        ), refilled AS (
          SELECT ${refilled(sql`held.tokens`, all)} AS tokens,
                 ${refilled(sql`held.crawl_tokens`, crawls)} AS crawl_tokens
          FROM held CROSS JOIN (
            SELECT coalesce(
                     (SELECT a.calls_per_second FROM applications AS a WHERE a.id = ${applicationId}),
                     ${limit}
                   )::float8 AS calls,
                   ${this.configuredRate(applicationId)} AS rate
          ) AS c
        )
        UPDATE rate_limits AS r
        SET tokens = g.tokens - g.granted, crawl_tokens = g.crawl_tokens,
            refilled_at = greatest(r.refilled_at, clock_timestamp())
        FROM (
          SELECT *, ${wanted}::integer + least(${spare}::integer, floor((tokens - ${wanted}) / 2)) AS granted,
                 set_config('synchronous_commit', 'off', true) AS setting
          FROM refilled WHERE tokens >= ${wanted}
        ) AS g
        WHERE r.application_id = ${applicationId} AND g.setting = 'off'
        RETURNING g.granted`,
    );
    return taken?.granted ?? 0;
  }

  /**
   * Waits for a call; false when none is available before the deadline, and for a crawl in the background also
   * when it is paused.
   */
  async waitFor(applicationId: number, lane: Lane): Promise<boolean> {
    for (;;) {
      const { granted, wait, isPaused } = await this.take(applicationId, 1, lane);
      if (granted > 0) return true;
      if (wait >= remainingTimeMs() || (isPaused && lane === 'background')) return false;
      await clock.sleep(wait);
    }
  }

  /**
   * Takes a call for a crawl, and waits for it if that takes little time: so a crawl keeps its rate, and does not
   * hold the place of another for long. Returns false when the crawl should have another turn.
   */
  async waitBriefly(applicationId: number): Promise<boolean> {
    const { granted, wait, isPaused } = await this.take(applicationId, 1, 'background');
    if (granted > 0) return true;
    if (isPaused || wait > briefWaitMs || wait >= remainingTimeMs()) return false;
    await clock.sleep(wait);
    return (await this.take(applicationId, 1, 'background')).granted > 0;
  }

  private async takeFrom(
    applicationId: number,
    row: RateLimitRow,
    { wanted, lane, isProbe }: { wanted: number; lane: Lane; isProbe: boolean },
  ): Promise<TakenCalls> {
    const { now, refilledAt } = row;
    const isCrawl = lane === 'background';
    const { limit, crawlLimit } = limitsOf(row);
    const all = refill({ tokens: row.tokens, refilledAt }, limit, now);
    const stored = row.crawlTokens ?? bucketSize(crawlLimit);
    const crawls = refill({ tokens: stored, refilledAt }, crawlLimit, now);
    const available = Math.floor(isCrawl ? Math.min(all.tokens, crawls.tokens) : all.tokens);
    const granted = Math.min(wanted, available);
    const wait =
      granted > 0
        ? 0
        : Math.max(waitForCall(all, limit), isCrawl ? waitForCall(crawls, crawlLimit) : 0);
    await this.database.execute(sql`
      UPDATE rate_limits
      SET tokens = ${all.tokens - granted},
          crawl_tokens = ${crawls.tokens - (isCrawl ? granted : 0)},
          refilled_at = to_timestamp(${all.refilledAt}::float8 / 1000),
          interactive_until = CASE WHEN ${granted === 0 && !isCrawl}
            THEN greatest(interactive_until,
                          clock_timestamp() + ${wait + precedenceMs} * interval '1 ms')
            ELSE interactive_until END,
          probe_until = CASE WHEN ${isProbe && granted > 0}
            THEN clock_timestamp() + ${probeMs} * interval '1 ms' ELSE probe_until END
      WHERE application_id = ${applicationId}`);
    return { granted, wait, isPaused: false };
  }

  /** Backs off from an application after a call of it failed with `error`. */
  recordFailure(applicationId: number, error: unknown): Promise<void> {
    return this.database.transaction(async () => {
      const { now, pausedUntil, ...limit } = await this.lock(applicationId);
      // Concurrent calls fail together: they count as one failure.
      const isNew = pausedUntil <= now;
      const failures = isNew ? limit.failures + 1 : limit.failures;
      const delay = backoffAfter(error, Math.max(1, failures), Math.random());
      const fault = error instanceof CourseProviderError ? error.fault : null;
      const kind = fault?.kind ?? null;
      const rate = limit.rate ?? limit.configuredRate;
      const lowered = isNew && kind !== null && isOfLoad(kind) ? lowerRate(rate) : limit.rate;
      await this.database.execute(sql`
        UPDATE rate_limits
        SET failures = ${failures}, fault = ${kind}, rate = ${lowered},
            fault_code = ${fault?.providerCode ?? null},
            fault_message = ${fault?.providerMessage ?? null},
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
      SET failures = 0, fault = NULL, fault_code = NULL, fault_message = NULL, probe_until = '-infinity',
          rate = CASE WHEN ${raised} < ${this.configuredRate(applicationId)} THEN ${raised} END
      WHERE application_id = ${applicationId}
        AND (failures > 0 OR rate IS NOT NULL) AND paused_until <= clock_timestamp()`);
  }

  /** Returns the failure of the provider after which an application pauses; null when it does not pause. */
  async faultOfPause(applicationId: number): Promise<FaultOfPause | null> {
    return this.database.maybeOne(
      faultOfPauseRow,
      sql`SELECT fault_code AS "errorCode", fault_message AS "errorMessage" FROM rate_limits
          WHERE application_id = ${applicationId} AND fault_code IS NOT NULL
            AND fault_message IS NOT NULL AND greatest(paused_until, probe_until) > now()`,
    );
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

  /** SQL of the configured rate of an application's crawls. */
  private configuredRate(applicationId: number): Sql {
    return sql`coalesce(
      (SELECT a.rate_per_second FROM applications AS a WHERE a.id = ${applicationId}),
      ${this.settings.CRAWL_RATE_PER_SECOND}
    )::float8`;
  }

  /** Returns the application's limit, which is created if missing, and locks it until the commit. */
  private lock(applicationId: number): Promise<RateLimitRow> {
    const fullBucket = bucketSize(this.settings.APPLICATION_CALLS_PER_SECOND);
    return this.database.one(
      rateLimitRow,
      sql`
        INSERT INTO rate_limits AS r (application_id, tokens)
        VALUES (${applicationId}, ${fullBucket})
        ON CONFLICT (application_id) DO UPDATE SET tokens = r.tokens
        RETURNING tokens, crawl_tokens AS "crawlTokens", failures, fault, rate,
                  ${this.configuredRate(applicationId)} AS "configuredRate",
                  coalesce(
                    (SELECT a.calls_per_second FROM applications AS a WHERE a.id = ${applicationId}),
                    ${this.settings.APPLICATION_CALLS_PER_SECOND}
                  )::float8 AS limit,
                  ${milliseconds(sql`refilled_at`)} AS "refilledAt",
                  ${milliseconds(sql`paused_until`)} AS "pausedUntil",
                  ${milliseconds(sql`probe_until`)} AS "probeUntil",
                  ${milliseconds(sql`interactive_until`)} AS "interactiveUntil",
                  ${milliseconds(sql`clock_timestamp()`)} AS now,
                  set_config('idle_in_transaction_session_timeout', ${idleWithLock}, true) AS "idleWithLock"`,
    );
  }
}

/** SQL of a time in milliseconds since the epoch; 0 for minus infinity. */
const milliseconds = (time: Sql): Sql =>
  sql`CASE WHEN isfinite(${time}) THEN extract(epoch FROM ${time})::float8 * 1000 ELSE 0 END`;

/** Returns the milliseconds for which a lane must wait, whatever the buckets hold. */
function pauseOf(row: RateLimitRow, lane: Lane): number {
  const { now, pausedUntil, probeUntil, interactiveUntil } = row;
  if (lane === 'client') return row.fault === 'throttled' ? Math.max(0, pausedUntil - now) : 0;
  if (pausedUntil > now) return pausedUntil - now;
  if (probeUntil > now) return probeCheckMs;
  return lane === 'background' ? Math.max(0, interactiveUntil - now) : 0;
}

/** Returns the most calls in any second: of all lanes, and of crawls. What lowers one lowers the other. */
function limitsOf({ rate, configuredRate, limit }: RateLimitRow): {
  limit: number;
  crawlLimit: number;
} {
  const lowered = rate ?? configuredRate;
  const all = limit * Math.min(1, lowered / configuredRate);
  return { limit: all, crawlLimit: Math.min(lowered, all * crawlFraction) };
}
