import { Module } from '@nestjs/common';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { ApplyCrawl } from './apply-crawl.ts';
import { ClaimRegistration } from './claim-registration.ts';
import { ConfirmRegistrations } from './confirm-registrations.ts';
import { CountRegistrations } from './count-registrations.ts';
import { CreateRegistration } from './create-registration.ts';
import { DeleteCourseRegistrations } from './delete-course-registrations.ts';
import { DeleteRegistration } from './delete-registration.ts';
import { EndLaunches } from './end-launches.ts';
import { FindChangedResults } from './find-changed-results.ts';
import { FindLatestRegistrations } from './find-latest-registrations.ts';
import { ImportCrawl } from './import-crawl.ts';
import { IndexRegistrations } from './index-registrations.ts';
import { InitializationQueue } from './initialization-queue.ts';
import { InitializeRegistrations } from './initialize-registrations.ts';
import { LaunchRegistration } from './launch-registration.ts';
import { LearnerRegistrationLimit } from './learner-registration-limit.ts';
import { LearnerUsers } from './learner-users.ts';
import { ListAdoptedRegistrations } from './list-adopted-registrations.ts';
import { MergeRegistrationCustom } from './merge-registration-custom.ts';
import { PostbackTargets } from './postback-targets.ts';
import { ReconcilePendingRegistrations } from './reconcile-pending-registrations.ts';
import { RecordChanges } from './record-changes.ts';
import { RecordProviderFault } from './record-provider-fault.ts';
import { RecordRealmSwitch } from './record-realm-switch.ts';
import { RecordSweep } from './record-sweep.ts';
import { RetryUnauthorizedRegistrations } from './retry-unauthorized-registrations.ts';
import { RecrawlRegistrations } from './recrawl-registrations.ts';
import { UpdateRegistration } from './update-registration.ts';
import { VerifyMissedRegistrations } from './verify-missed-registrations.ts';

@Module({
  controllers: [
    CountRegistrations,
    CreateRegistration,
    DeleteCourseRegistrations,
    DeleteRegistration,
    FindChangedResults,
    FindLatestRegistrations,
    ImportCrawl,
    IndexRegistrations,
    LaunchRegistration,
    ListAdoptedRegistrations,
    MergeRegistrationCustom,
    RecordChanges,
    RecordRealmSwitch,
    RecordSweep,
    RecrawlRegistrations,
    RetryUnauthorizedRegistrations,
    UpdateRegistration,
  ],
  providers: [
    AdoptRegistrations,
    ApplyCrawl,
    ClaimRegistration,
    ConfirmRegistrations,
    EndLaunches,
    InitializationQueue,
    InitializeRegistrations,
    LearnerRegistrationLimit,
    LearnerUsers,
    PostbackTargets,
    ReconcilePendingRegistrations,
    RecordProviderFault,
    VerifyMissedRegistrations,
  ],
  exports: [InitializeRegistrations],
})
export class RegistrationsModule {}
