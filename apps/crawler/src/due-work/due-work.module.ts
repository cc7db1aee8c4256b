import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.ts';
import { ClaimWork } from './claim-work.ts';
import { DueRegistrations } from './due-registrations.ts';
import { Leases } from './leases.ts';
import { ListSweeps } from './list-sweeps.ts';
import { ScheduleRegistration } from './schedule-registration.ts';
import { SweepApplications } from './sweep-applications.ts';

@Module({
  imports: [RateLimitsModule],
  providers: [
    ClaimWork,
    DueRegistrations,
    Leases,
    ListSweeps,
    ScheduleRegistration,
    SweepApplications,
  ],
  exports: [ClaimWork, DueRegistrations, Leases],
})
export class DueWorkModule {}
