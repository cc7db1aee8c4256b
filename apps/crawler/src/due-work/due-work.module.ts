import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.ts';
import { ClaimWork } from './claim-work.ts';
import { DueRegistrations } from './due-registrations.ts';
import { Leases } from './leases.ts';
import { ScheduleRegistration } from './schedule-registration.ts';

@Module({
  imports: [RateLimitsModule],
  providers: [ClaimWork, DueRegistrations, Leases, ScheduleRegistration],
  exports: [ClaimWork, DueRegistrations, Leases],
})
export class DueWorkModule {}
