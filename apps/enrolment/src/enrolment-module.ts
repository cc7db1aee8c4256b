import { courseProviders, ProviderAccess } from '#libs/course-provider';
import { PersistenceModule } from '#libs/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { Background } from './background.ts';
import { CopyCourse } from './courses/copy-course.ts';
import { CourseEvents } from './courses/course-events.ts';
import { AddLearners } from './invitations/add-learners.ts';
import { CarryOutPlan } from './invitations/carry-out-plan.ts';
import { CreateInvitation } from './invitations/create-invitation.ts';
import { IndexInvitations } from './invitations/index-invitations.ts';
import { InvitationBooks } from './invitations/invitation-books.ts';
import { InvitationRequests } from './invitations/invitation-requests.ts';
import { ReadGrants } from './invitations/read-grants.ts';
import { ReadStanding } from './invitations/read-standing.ts';
import { SeatGauge } from './invitations/seat-gauge.ts';
import { UpdateInvitation } from './invitations/update-invitation.ts';
import { CheckQuery } from './queries/check-query.ts';
import { InitializeQueries } from './queries/initialize-queries.ts';
import { KeepStoredQueries } from './queries/keep-stored-queries.ts';
import { QueryRequests } from './queries/query-requests.ts';
import { QueryResults } from './queries/query-results.ts';
import { RunQuery } from './queries/run-query.ts';
import { AdoptRegistrations } from './registrations/adopt-registrations.ts';
import { ApplyCrawl } from './registrations/apply-crawl.ts';
import { ClaimRegistration } from './registrations/claim-registration.ts';
import { ConfirmRegistration } from './registrations/confirm-registration.ts';
import { CrawlEvents } from './registrations/crawl-events.ts';
import { CreateRegistration } from './registrations/create-registration.ts';
import { IndexRegistrations } from './registrations/index-registrations.ts';
import { LatestRegistrations } from './registrations/latest-registrations.ts';
import { InitialiseRegistrations } from './registrations/initialise-registrations.ts';
import { launchLinkExpiry, LaunchRegistration } from './registrations/launch-registration.ts';
import { NoteSweep } from './registrations/note-sweep.ts';
import { RecrawlRegistrations } from './registrations/recrawl-registrations.ts';
import { RegistrationRequests } from './registrations/registration-requests.ts';
import { SettleRegistrations } from './registrations/settle-registrations.ts';
import { UpdateRegistration } from './registrations/update-registration.ts';
import { VerifyMissed } from './registrations/verify-missed.ts';
import { WaitingRegistrations } from './registrations/waiting-registrations.ts';
import { enrolmentSchema } from './schema.ts';
import { type EnrolmentSettings } from './settings.ts';

/** The enrolment context: registrations, and a copy of the courses that they are for. */
@Module({})
export class EnrolmentModule {
  static with(settings: EnrolmentSettings): DynamicModule {
    return {
      module: EnrolmentModule,
      imports: [PersistenceModule.forContext(enrolmentSchema, settings.DATABASE_URL)],
      controllers: [
        InvitationRequests,
        RegistrationRequests,
        CrawlEvents,
        CourseEvents,
        ProviderAccess,
        QueryRequests,
      ],
      providers: [
        { provide: launchLinkExpiry, useValue: settings.LAUNCH_LINK_EXPIRY_SECONDS },
        courseProviders(settings.MASTER_KEY_FILE),
        AddLearners,
        CarryOutPlan,
        CreateInvitation,
        IndexInvitations,
        InvitationBooks,
        ReadGrants,
        ReadStanding,
        SeatGauge,
        UpdateInvitation,
        AdoptRegistrations,
        ApplyCrawl,
        Background,
        ClaimRegistration,
        ConfirmRegistration,
        CopyCourse,
        CreateRegistration,
        IndexRegistrations,
        LatestRegistrations,
        InitialiseRegistrations,
        LaunchRegistration,
        NoteSweep,
        RecrawlRegistrations,
        SettleRegistrations,
        CheckQuery,
        InitializeQueries,
        KeepStoredQueries,
        QueryResults,
        RunQuery,
        UpdateRegistration,
        VerifyMissed,
        WaitingRegistrations,
      ],
    };
  }
}
