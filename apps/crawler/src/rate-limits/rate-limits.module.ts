import { Module } from '@nestjs/common';
import { ClientCalls } from './client-calls.ts';
import { LimitRepeatedCalls } from './limit-repeated-calls.ts';
import { RateLimits } from './rate-limits.ts';

@Module({
  controllers: [ClientCalls],
  providers: [LimitRepeatedCalls, RateLimits],
  exports: [LimitRepeatedCalls, RateLimits],
})
export class RateLimitsModule {}
