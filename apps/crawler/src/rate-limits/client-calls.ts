import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { reportThrottledCall, takeProviderCalls } from '@registrar/contracts';
import { CourseProviderError } from '@registrar/course-provider';
import { Controller } from '@nestjs/common';
import { RateLimits } from './rate-limits.ts';

/** Counts the calls that other contexts make for clients against the limits of the provider applications. */
@Controller()
export class ClientCalls {
  constructor(private readonly rateLimits: RateLimits) {}

  @HandleRequest(takeProviderCalls)
  async take({
    applicationId,
    calls,
    spare,
  }: InputOf<typeof takeProviderCalls>): Promise<ReplyOf<typeof takeProviderCalls>> {
    const atOnce = await this.rateLimits.takeAtOnce(applicationId, calls, spare);
    if (atOnce > 0) return { granted: atOnce, waitMs: 0 };
    const { granted, wait } = await this.rateLimits.take(applicationId, calls, 'client');
    return { granted, waitMs: granted === calls ? 0 : Math.max(1, Math.ceil(wait)) };
  }

  @HandleRequest(reportThrottledCall)
  async reportThrottled({
    applicationId,
    retryAfter,
  }: InputOf<typeof reportThrottledCall>): Promise<ReplyOf<typeof reportThrottledCall>> {
    const error = new CourseProviderError({
      kind: 'throttled',
      providerCode: '429',
      providerMessage: 'Too many requests.',
      method: 'GET',
      url: '',
      retryAfter,
    });
    await this.rateLimits.recordFailure(applicationId, error);
    return {};
  }
}
