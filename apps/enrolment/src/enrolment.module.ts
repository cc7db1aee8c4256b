import {
  CourseProviderDirectory,
  InvalidateCourseProviders,
  provideCourseProviderDirectory,
} from '@registrar/course-provider';
import { Database, PersistenceModule, ReportReader, Standby } from '@registrar/persistence';
import { appLogger, type Logger } from '@registrar/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
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
    const { REPORTS_DATABASE_URL: standbyUrl } = settings;
    const standby = standbyUrl === undefined ? null : new Standby(enrolmentSchema, standbyUrl);
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
        {
          provide: ReportReader,
          inject: [Database, Registry, appLogger],
          useFactory: (database: Database, registry: Registry, logger: Logger) =>
            new ReportReader(database, standby, registry, logger),
        },
        { provide: postbackBaseUrl, useValue: settings.POSTBACK_URL ?? null },
        provideCourseProviderDirectory(settings.MASTER_KEY_FILE, LimitProviderCalls),
      ],
      exports: [postbackBaseUrl, CourseProviderDirectory, ReportReader],
    };
  }
}
