import { type HttpLimits, minResponseDataRate } from '@registrar/bootstrap';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CallLimits } from './calls/call-limits.ts';
import { CallsController } from './calls/calls.controller.ts';
import { MakeCall } from './calls/make-call.ts';
import { RealmScopes } from './calls/realm-scopes.ts';
import { ConsoleDatabase } from './console-database.ts';
import { ExportAudit } from './exports/export-audit.ts';
import { ExportsController } from './exports/exports.controller.ts';
import { Exports } from './exports/exports.ts';
import { ConsoleAddress } from './http/console-address.ts';
import { ConsoleExceptionFilter } from './http/console-exception.filter.ts';
import { Cookies } from './http/cookies.ts';
import { LiveController } from './live/live.controller.ts';
import { LiveWatches } from './live/live-watches.ts';
import { ConsoleMetrics } from './metrics/console-metrics.ts';
import { Installation } from './overview/installation.ts';
import { statusReportsHandler } from './overview/status-reports.handler.ts';
import { consoleSchema } from './schema.ts';
import { CurrentSession } from './sessions/current-session.ts';
import { Sessions } from './sessions/sessions.ts';
import { type ConsoleSettings, consoleSettingsToken } from './settings.ts';
import { IdentityProvider } from './sign-in/identity-provider.ts';
import { SealedCookie } from './sign-in/sealed-cookie.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { SignInLinks } from './sign-in/sign-in-links.ts';
import { CourseUploadController } from './uploads/course-upload.controller.ts';

/** The console: calls of its client in, typed requests over the bus out. It owns the sessions. */
@Module({})
export class ConsoleModule {
  static with(settings: ConsoleSettings, limits: HttpLimits): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [
        CallsController,
        CourseUploadController,
        ExportsController,
        LiveController,
        SignInController,
        statusReportsHandler(),
      ],
      providers: [
        { provide: consoleSettingsToken, useValue: settings },
        { provide: APP_FILTER, useClass: ConsoleExceptionFilter },
        { provide: minResponseDataRate, useValue: limits.minDataRate },
        {
          provide: ConsoleDatabase,
          useFactory: () => ConsoleDatabase.open(consoleSchema, settings.DATABASE_URL),
        },
        CallLimits,
        ConsoleAddress,
        ConsoleMetrics,
        Cookies,
        CurrentSession,
        ExportAudit,
        Exports,
        IdentityProvider,
        Installation,
        LiveWatches,
        MakeCall,
        RealmScopes,
        SealedCookie,
        Sessions,
        SignInLinks,
      ],
    };
  }
}
