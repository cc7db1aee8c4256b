import { BusClient } from '#libs/bus';
import { providerCredentials } from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { Sealing } from '#libs/platform';
import { PersistenceModule } from '#libs/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { Background } from './background.ts';
import { CopyCourse } from './courses/copy-course.ts';
import { CourseEvents } from './courses/course-events.ts';
import { ProviderAccess } from './provider-access.ts';
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
    const sealing = Sealing.fromKeyFile(settings.MASTER_KEY_FILE);
    return {
      module: EnrolmentModule,
      imports: [PersistenceModule.forContext(enrolmentSchema, settings.DATABASE_URL)],
      controllers: [RegistrationRequests, CrawlEvents, CourseEvents, ProviderAccess],
      providers: [
        { provide: launchLinkExpiry, useValue: settings.LAUNCH_LINK_EXPIRY_SECONDS },
        {
          provide: CourseProviderDirectory,
          inject: [BusClient],
          useFactory: (bus: BusClient) =>
            new CourseProviderDirectory(
              (applicationId) => bus.request(providerCredentials, { applicationId }),
              sealing,
            ),
        },
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
        UpdateRegistration,
        VerifyMissed,
        WaitingRegistrations,
      ],
    };
  }
}
