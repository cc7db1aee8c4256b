import { BusClient } from '@registrar/bus';
import {
  Failure,
  reportThrottledCall,
  spareCallsMs,
  takeProviderCalls,
} from '@registrar/contracts';
import { type CallLimits } from '@registrar/course-provider';
import {
  appLogger,
  clock,
  logFailedWork,
  type Logger,
  remainingTimeMs,
  runInRequestContext,
} from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';

/** The most calls that are taken at once. */
const maxCalls = 100;

/** After this time, the crawler counts as away: milliseconds. */
const timeoutMs = 2_000;

/** Receives the milliseconds until a call is available; 0 when one was taken. */
type Waiting = (waitMs: number) => void;

/** Calls that were granted together. */
interface Batch {
  used: number;
  /** To spare, until they expire. */
  left: number;
  /** By the monotonic clock. */
  readonly expiresAt: number;
}

/**
 * Takes the calls of the course provider from the limits that the crawler keeps, in batches: those that wait, and to
 * spare as many as the batch before has served. While it takes some, others of the application wait.
 */
@Injectable()
export class LimitProviderCalls implements CallLimits {
  /** By application; an entry exists while calls are being taken. */
  readonly #waiting = new Map<number, Waiting[]>();
  /** The last one of each application. */
  readonly #batches = new Map<number, Batch>();

  constructor(
    private readonly bus: BusClient,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /**
   * Waits for a call. While the crawler is away, which keeps the limits, calls are not limited.
   *
   * @throws {Failure} `over-limit` when none is available before the deadline
   */
  async beforeCall(applicationId: number): Promise<void> {
    for (;;) {
      const waitMs = await this.take(applicationId);
      if (waitMs === 0) return;
      if (waitMs >= remainingTimeMs()) {
        const message = `the calls of provider application ${applicationId} are used up`;
        const retryAfterSeconds = Math.ceil(waitMs / 1_000);
        throw new Failure('over-limit', message, undefined, { retryAfterSeconds });
      }
      await clock.sleep(waitMs);
    }
  }

  afterThrottling(applicationId: number, retryAfter: number | null): void {
    this.#batches.delete(applicationId);
    this.bus.request(reportThrottledCall, { applicationId, retryAfter }).catch((error: unknown) => {
      const { message: reason } = Failure.from(error);
      const fields = { application: applicationId, reason };
      logFailedWork(this.logger, error, fields, 'the crawler was not told of a throttled call');
    });
  }

  private take(applicationId: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const waiting = this.#waiting.get(applicationId);
    if (waiting) waiting.push(resolve);
    else {
      this.#waiting.set(applicationId, [resolve]);
      void this.takeForAll(applicationId);
    }
    return promise;
  }

  private takeSpare(applicationId: number): boolean {
    const batch = this.#batches.get(applicationId);
    if (!batch || batch.left === 0 || batch.expiresAt <= clock.monotonic()) return false;
    batch.left -= 1;
    batch.used += 1;
    return true;
  }

  /** Never rejects. */
  private async takeForAll(applicationId: number): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(applicationId) ?? [];
      while (waiting.length > 0 && this.takeSpare(applicationId)) waiting.shift()?.(0);
      const next = waiting.splice(0, maxCalls);
      if (next.length === 0) break;
      const { granted, waitMs } = await this.request(applicationId, next.length);
      for (const [place, resolve] of next.entries()) resolve(place < granted ? 0 : waitMs);
    }
    this.#waiting.delete(applicationId);
  }

  private async request(
    applicationId: number,
    calls: number,
  ): Promise<{ granted: number; waitMs: number }> {
    const context = { requestId: randomUUID(), deadline: clock.now() + timeoutMs };
    const askedAt = clock.monotonic();
    const last = this.#batches.get(applicationId);
    const isRecent = last !== undefined && askedAt < last.expiresAt + spareCallsMs;
    const spare = isRecent ? Math.min(last.used, maxCalls) : 0;
    try {
      const reply = await runInRequestContext(context, () =>
        this.bus.request(takeProviderCalls, { applicationId, calls, spare }),
      );
      const used = Math.min(calls, reply.granted);
      const left = reply.granted - used;
      this.#batches.set(applicationId, { used, left, expiresAt: askedAt + spareCallsMs });
      return reply;
    } catch (error) {
      const { code, message: reason } = Failure.from(error);
      const fields = { application: applicationId, calls, code, reason };
      logFailedWork(this.logger, error, fields, 'calls of the course provider were not limited');
      return { granted: calls, waitMs: 0 };
    }
  }
}
