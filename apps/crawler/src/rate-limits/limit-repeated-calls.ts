import { Failure } from '@registrar/contracts';
import { type CallLimits } from '@registrar/course-provider';
import { Injectable } from '@nestjs/common';
import { RateLimits } from './rate-limits.ts';

/** Takes the calls that are sent again from the limit. Crawls take the first ones themselves. */
@Injectable()
export class LimitRepeatedCalls implements CallLimits {
  constructor(private readonly rateLimits: RateLimits) {}

  async beforeCall(applicationId: number, attempt: number): Promise<void> {
    if (attempt === 1 || (await this.rateLimits.waitFor(applicationId, 'client'))) return;
    throw new Failure('unavailable', 'no call is left to repeat one that failed');
  }

  /** Crawls record their failures themselves. */
  afterThrottling(): void {
    return;
  }
}
