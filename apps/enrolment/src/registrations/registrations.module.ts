import { Module } from '@nestjs/common';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { ApplyCrawl } from './apply-crawl.ts';
import { ClaimRegistration } from './claim-registration.ts';
import { ConfirmRegistrations } from './confirm-registrations.ts';
import { CreateRegistration } from './create-registration.ts';
import { DeleteCourseRegistrations } from './delete-course-registrations.ts';
import { DeleteRegistration } from './delete-registration.ts';
import { EndLaunches } from './end-launches.ts';
import { FindChangedResults } from './find-changed-results.ts';
import { FindLatestRegistrations } from './find-latest-registrations.ts';
import { ImportCrawl } from './import-crawl.ts';
import { IndexRegistrations } from './index-registrations.ts';
import { InitialisationQueue } from './initialisation-queue.ts';
import { InitialiseRegistrations } from './initialise-registrations.ts';
import { LaunchRegistration } from './launch-registration.ts';
import { RepeatClock } from './late-result.ts';
import { LearnerRegistrationLimit } from './learner-registration-limit.ts';
import { ListAdoptedRegistrations } from './list-adopted-registrations.ts';
import { MergeRegistrationCustom } from './merge-registration-custom.ts';
import { PostbackTargets } from './postback-targets.ts';
import { ReconcilePendingRegistrations } from './reconcile-pending-registrations.ts';
import { RecordChanges } from './record-changes.ts';
import { RecordRealmSwitch } from './record-realm-switch.ts';
import { RecordSweep } from './record-sweep.ts';
import { RecrawlRegistrations } from './recrawl-registrations.ts';
import { UpdateRegistration } from './update-registration.ts';
import { VerifyMissedRegistrations } from './verify-missed-registrations.ts';

@Module({
  providers: [
    AdoptRegistrations,
    ApplyCrawl,
    ClaimRegistration,
    ConfirmRegistrations,
    CreateRegistration,
    DeleteCourseRegistrations,
    DeleteRegistration,
    EndLaunches,
    FindChangedResults,
    FindLatestRegistrations,
    ImportCrawl,
    IndexRegistrations,
    InitialisationQueue,
    InitialiseRegistrations,
    LaunchRegistration,
    LearnerRegistrationLimit,
    ListAdoptedRegistrations,
    MergeRegistrationCustom,
    PostbackTargets,
    ReconcilePendingRegistrations,
    RecordChanges,
    RecordRealmSwitch,
    RecordSweep,
    RecrawlRegistrations,
    RepeatClock,
    UpdateRegistration,
    VerifyMissedRegistrations,
  ],
  exports: [InitialiseRegistrations],
})
export class RegistrationsModule {}
