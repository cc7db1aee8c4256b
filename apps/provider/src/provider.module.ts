import { failedAccesses, type FailedAccessLimits } from '@registrar/bootstrap';
import { PersistenceModule } from '@registrar/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ApplicationsModule } from './applications/applications.module.ts';
import { CoursesModule } from './courses/courses.module.ts';
import { ApiExceptionFilter } from './http/api-exception-filter.ts';
import { PingController } from './http/ping.controller.ts';
import { ImportsModule } from './imports/imports.module.ts';
import { LaunchesModule } from './launches/launches.module.ts';
import { ContentOriginsModule } from './origins/content-origins.module.ts';
import { RegistrationsModule } from './registrations/registrations.module.ts';
import { providerSchema } from './schema.ts';
import type { ProviderSettings } from './settings.ts';
import { TagsModule } from './tags/tags.module.ts';

/** A course provider: stores course packages, plays them, and serves the results over its API. */
@Module({})
export class ProviderModule {
  static register(settings: ProviderSettings, limits: FailedAccessLimits): DynamicModule {
    return {
      module: ProviderModule,
      // The applications module uses its provider.
      global: true,
      imports: [
        PersistenceModule.forContext(providerSchema, settings.DATABASE_URL),
        ContentOriginsModule.register(settings.PROVIDER_CONTENT_URL),
        ApplicationsModule,
        CoursesModule,
        ImportsModule,
        RegistrationsModule,
        TagsModule,
        LaunchesModule.register(settings.LAUNCH_KEY_FILE),
      ],
      controllers: [PingController],
      providers: [
        { provide: APP_FILTER, useClass: ApiExceptionFilter },
        { provide: failedAccesses, useValue: limits },
      ],
      exports: [failedAccesses],
    };
  }
}
