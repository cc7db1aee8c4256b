import { BusClient } from '@registrar/bus';
import { Failure, reportThrottledCall, takeProviderCall } from '@registrar/contracts';
import { type CallLimits } from '@registrar/course-provider';
import { appLogger, logFailedWork, type Logger, remainingTimeMs } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/** Takes the calls of the course provider from the limits that the crawler keeps. */
@Injectable()
export class LimitProviderCalls implements CallLimits {
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
      await sleep(waitMs);
    }
  }

  afterThrottling(applicationId: number, retryAfter: number | null): void {
    this.bus.request(reportThrottledCall, { applicationId, retryAfter }).catch((error: unknown) => {
      const { message: reason } = Failure.from(error);
      const fields = { application: applicationId, reason };
      logFailedWork(this.logger, error, fields, 'the crawler was not told of a throttled call');
    });
  }

  /** Returns the milliseconds until a call is available; 0 when one was taken. */
  private async take(applicationId: number): Promise<number> {
    try {
      return (await this.bus.request(takeProviderCall, { applicationId })).waitMs;
    } catch (error) {
      const { code, message: reason } = Failure.from(error);
      if (code === 'expired') throw error;
      const fields = { application: applicationId, code, reason };
      logFailedWork(this.logger, error, fields, 'a call of the course provider was not limited');
      return 0;
    }
  }
}
