import {
  CourseProviderDirectory,
  InvalidateCourseProviders,
  provideCourseProviderDirectory,
} from '@registrar/course-provider';
import { PersistenceModule } from '@registrar/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { CoursesModule } from './courses/courses.module.ts';
import { InvitationsModule } from './invitations/invitations.module.ts';
import { LimitProviderCalls } from './provider-calls/limit-provider-calls.ts';
import { QueriesModule } from './queries/queries.module.ts';
import { postbackBaseUrl } from './registrations/create-at-provider.ts';
import { RegistrationsModule } from './registrations/registrations.module.ts';
import { enrolmentSchema } from './schema.ts';
import { type EnrolmentSettings } from './settings.ts';

/** The enrolment context: registrations, invitations with their seats, and stored queries. */
@Module({})
export class EnrolmentModule {
  /** Global, so that feature modules inject what the settings configure. */
  static register(settings: EnrolmentSettings): DynamicModule {
    return {
      module: EnrolmentModule,
      global: true,
      imports: [
        PersistenceModule.forContext(enrolmentSchema, settings.DATABASE_URL),
        CoursesModule,
        InvitationsModule,
        QueriesModule,
        RegistrationsModule,
      ],
      controllers: [InvalidateCourseProviders],
      providers: [
        LimitProviderCalls,
        { provide: postbackBaseUrl, useValue: settings.POSTBACK_URL ?? null },
        provideCourseProviderDirectory(settings.MASTER_KEY_FILE, LimitProviderCalls),
      ],
      exports: [postbackBaseUrl, CourseProviderDirectory],
    };
  }
}
