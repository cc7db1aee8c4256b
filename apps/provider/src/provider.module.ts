import { failedAccesses, type FailedAccessLimits, OverLimitLog } from '@registrar/bootstrap';
import { PersistenceModule } from '@registrar/persistence';
import { appLogger, type Logger, Sealing } from '@registrar/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { Registry } from 'prom-client';
import { ApplicationsModule } from './applications/applications.module.ts';
import { ConfigurationModule } from './configuration/configuration.module.ts';
import { CourseFilesModule } from './course-files/course-files.module.ts';
import { CoursesModule } from './courses/courses.module.ts';
import { ApiExceptionFilter } from './http/api-exception-filter.ts';
import { FetchOrigins, PostbackOrigins } from './egress/allowed-origins.ts';
import { AboutController } from './http/about.controller.ts';
import { PingController } from './http/ping.controller.ts';
import { refusedCallControllers } from './http/refused-calls.controller.ts';
import { ImportsModule } from './imports/imports.module.ts';
import { downloadLimits, type DownloadLimits } from './launches/downloads.ts';
import { LaunchesModule } from './launches/launches.module.ts';
import { LearnersModule } from './learners/learners.module.ts';
import { ContentOrigins } from './origins/content-origins.ts';
import { type PostbackTimes, postbackTimes } from './postbacks/postback-times.ts';
import { PostbacksModule } from './postbacks/postbacks.module.ts';
import { RegistrationsModule } from './registrations/registrations.module.ts';
import { providerSchema } from './schema.ts';
import type { ProviderSettings } from './settings.ts';

interface ProviderLimits {
  readonly failedAccesses: FailedAccessLimits;
  readonly downloads: DownloadLimits;
  readonly postbacks: PostbackTimes;
}

/** A course provider: stores course packages, plays them, and serves the results over its API. */
@Module({})
export class ProviderModule {
  static register(settings: ProviderSettings, limits: ProviderLimits): DynamicModule {
    return {
      module: ProviderModule,
      // Its modules use what it exports.
      global: true,
      imports: [
        PersistenceModule.forContext(providerSchema, settings.DATABASE_URL),
        ApplicationsModule,
        ConfigurationModule,
        CourseFilesModule,
        CoursesModule,
        ImportsModule,
        RegistrationsModule,
        LaunchesModule,
        LearnersModule,
        PostbacksModule,
      ],
      controllers: [AboutController, PingController, ...refusedCallControllers],
      providers: [
        { provide: APP_FILTER, useClass: ApiExceptionFilter },
        { provide: failedAccesses, useValue: limits.failedAccesses },
        { provide: downloadLimits, useValue: limits.downloads },
        {
          provide: OverLimitLog,
          inject: [Registry, appLogger],
          useFactory: (registry: Registry, logger: Logger) =>
            new OverLimitLog(
              ['address', 'downloads', 'imports', 'postback-tests'],
              registry,
              logger,
            ),
        },
        { provide: postbackTimes, useValue: limits.postbacks },
        {
          provide: PostbackOrigins,
          useValue: new PostbackOrigins(settings.PROVIDER_POSTBACK_ORIGINS),
        },
        { provide: FetchOrigins, useValue: new FetchOrigins(settings.PROVIDER_FETCH_ORIGINS) },
        {
          provide: ContentOrigins,
          inject: [HttpAdapterHost],
          useFactory: (http: HttpAdapterHost) =>
            new ContentOrigins(settings.PROVIDER_CONTENT_URL ?? null, http),
        },
        {
          provide: Sealing,
          useFactory: () => Sealing.fromKeyFile(settings.LAUNCH_KEY_FILE, 'LAUNCH_KEY_FILE'),
        },
      ],
      exports: [
        ContentOrigins,
        downloadLimits,
        failedAccesses,
        FetchOrigins,
        OverLimitLog,
        PostbackOrigins,
        postbackTimes,
        Sealing,
      ],
    };
  }
}
