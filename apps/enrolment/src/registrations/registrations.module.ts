import { Module } from '@nestjs/common';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { ApplyCrawl } from './apply-crawl.ts';
import { ClaimRegistration } from './claim-registration.ts';
import { ConfirmRegistrations } from './confirm-registrations.ts';
import { CountRegistrationsByDay } from './count-registrations-by-day.ts';
import { CountRegistrations } from './count-registrations.ts';
import { CreateAtProvider } from './create-at-provider.ts';
import { CreateRegistration } from './create-registration.ts';
import { DeleteCourseRegistrations, DeleteRegistration } from './delete-registration.ts';
import { EndLaunches } from './end-launches.ts';
import { FindChangedResults } from './find-changed-results.ts';
import { FindRegistrationDetails } from './find-registration-details.ts';
import { ImportCrawl } from './import-crawl.ts';
import { InitializationQueue } from './initialization-queue.ts';
import { InitializeRegistrations } from './initialize-registrations.ts';
import { LaunchRegistration } from './launch-registration.ts';
import { ListRegistrations } from './list-registrations.ts';
import { ReconcilePendingRegistrations } from './reconcile-pending-registrations.ts';
import { RecordCrawls } from './record-crawls.ts';
import { RecordRealmSwitch } from './record-realm-switch.ts';
import { RetryUnauthorizedRegistrations } from './retry-unauthorized-registrations.ts';
import { RecrawlRegistrations } from './recrawl-registrations.ts';
import { UpdateRegistration } from './update-registration.ts';
import { VerifyMissedRegistrations } from './verify-missed-registrations.ts';

@Module({
  controllers: [
    CountRegistrations,
    CountRegistrationsByDay,
    CreateRegistration,
    DeleteCourseRegistrations,
    DeleteRegistration,
    FindChangedResults,
    FindRegistrationDetails,
    ImportCrawl,
    LaunchRegistration,
    ListRegistrations,
    RecordCrawls,
    RecordRealmSwitch,
    RecrawlRegistrations,
    RetryUnauthorizedRegistrations,
    UpdateRegistration,
  ],
  providers: [
    AdoptRegistrations,
    ApplyCrawl,
    ClaimRegistration,
    ConfirmRegistrations,
    CreateAtProvider,
    EndLaunches,
    InitializationQueue,
    InitializeRegistrations,
    ReconcilePendingRegistrations,
    VerifyMissedRegistrations,
  ],
  exports: [InitializeRegistrations],
})
export class RegistrationsModule {}
