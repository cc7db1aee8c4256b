import { PersistenceModule } from '#libs/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { Authenticate } from './applications/authenticate.ts';
import { PutApplication } from './applications/put-application.ts';
import { ChangeCourse } from './courses/change-course.ts';
import { CoursesController } from './courses/courses-controller.ts';
import { FindCourse } from './courses/find-course.ts';
import { ImportCourse } from './courses/import-course.ts';
import { ImportJobs } from './courses/import-jobs.ts';
import { ImportQueue } from './courses/import-queue.ts';
import { IndexCourses } from './courses/index-courses.ts';
import { UploadPackage } from './courses/upload-package.ts';
import { ApiErrors } from './http/api-errors.ts';
import { PingController } from './http/ping-controller.ts';
import { BuildLaunchLink } from './launches/build-launch-link.ts';
import { DescribeCourse } from './launches/describe-course.ts';
import { FindContent } from './launches/find-content.ts';
import { LaunchController } from './launches/launch-controller.ts';
import { LaunchSessions } from './launches/launch-session.ts';
import { OpenActivity } from './launches/open-activity.ts';
import { PlayController } from './launches/play-controller.ts';
import { PlayerFiles } from './launches/player-files.ts';
import { ReportActivity } from './launches/report-activity.ts';
import { SigningKey } from './launches/signing-key.ts';
import { UpdateRegistration } from './launches/update-registration.ts';
import { ReadFile } from './packages/read-file.ts';
import { StorePackage } from './packages/store-package.ts';
import { PublicAddress } from './public-address.ts';
import { CreateRegistration } from './registrations/create-registration.ts';
import { DeleteRegistration } from './registrations/delete-registration.ts';
import { DescribeRegistrations } from './registrations/describe-registrations.ts';
import { FindRegistration } from './registrations/find-registration.ts';
import { IndexRegistrations } from './registrations/index-registrations.ts';
import { RegistrationsController } from './registrations/registrations-controller.ts';
import { providerSchema } from './schema.ts';
import type { ProviderSettings } from './settings.ts';

/** A course provider: it keeps packages, plays them, and tells the results over its HTTP API. */
@Module({})
export class ProviderModule {
  static with(settings: ProviderSettings): DynamicModule {
    return {
      module: ProviderModule,
      imports: [PersistenceModule.forContext(providerSchema, settings.DATABASE_URL)],
      controllers: [
        PutApplication,
        PingController,
        CoursesController,
        RegistrationsController,
        LaunchController,
        PlayController,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ApiErrors },
        {
          provide: PublicAddress,
          inject: [HttpAdapterHost],
          useFactory: (http: HttpAdapterHost) =>
            new PublicAddress(settings.PROVIDER_PUBLIC_URL ?? null, http),
        },
        Authenticate,
        BuildLaunchLink,
        ChangeCourse,
        CreateRegistration,
        DeleteRegistration,
        DescribeCourse,
        DescribeRegistrations,
        FindContent,
        FindCourse,
        FindRegistration,
        ImportCourse,
        ImportJobs,
        ImportQueue,
        IndexCourses,
        IndexRegistrations,
        LaunchSessions,
        OpenActivity,
        PlayerFiles,
        ReadFile,
        ReportActivity,
        SigningKey,
        StorePackage,
        UpdateRegistration,
        UploadPackage,
      ],
    };
  }
}
