import {
  AddressRates,
  failedAccesses,
  type HttpLimits,
  minResponseDataRate,
} from '@registrar/bootstrap';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccessResolver } from './access/access-resolver.ts';
import { BrowserKeyWarning } from './access/browser-key-warning.ts';
import { ForgetChangedAccess } from './access/forget-changed-access.ts';
import { GuessingGuard } from './admission/guessing-guard.ts';
import { OverLimit } from './admission/over-limit.ts';
import { RealmRates } from './admission/realm-rates.ts';
import { Slots } from './admission/slots.ts';
import { Turns } from './admission/turns.ts';
import { ExportRecorder } from './audit/export-recorder.ts';
import { ErrorResponder } from './http/error-responder.ts';
import { GlobalExceptionFilter } from './http/global-exception.filter.ts';
import { OperationRoutes } from './http/operation-routes.ts';
import { RequestPipeline } from './http/request-pipeline.ts';
import { ResponseSender } from './http/response-sender.ts';
import { ServedRequests } from './http/served-requests.ts';
import { PostbackAccess } from './postbacks/postback-access.ts';
import { PostbackRoutes } from './postbacks/postback-routes.ts';
import { CatalogVersions } from './response-cache/catalog-versions.ts';
import { CourseLists } from './response-cache/course-lists.ts';
import { ResponseCache } from './response-cache/response-cache.ts';
import { type GatewaySettings, gatewaySettingsToken } from './settings.ts';

/** The gateway: HTTP requests in, typed requests over the bus out. It owns no data. */
@Module({ controllers: [ForgetChangedAccess] })
export class GatewayModule {
  static with(
    settings: GatewaySettings,
    errors: ErrorResponder,
    limits: HttpLimits,
  ): DynamicModule {
    return {
      module: GatewayModule,
      providers: [
        { provide: gatewaySettingsToken, useValue: settings },
        { provide: APP_FILTER, useClass: GlobalExceptionFilter },
        { provide: ErrorResponder, useValue: errors },
        { provide: minResponseDataRate, useValue: limits.minDataRate },
        { provide: AddressRates, useValue: new AddressRates(limits) },
        { provide: failedAccesses, useValue: limits.failedAccesses },
        AccessResolver,
        BrowserKeyWarning,
        CatalogVersions,
        CourseLists,
        ExportRecorder,
        GuessingGuard,
        OperationRoutes,
        OverLimit,
        PostbackAccess,
        PostbackRoutes,
        RequestPipeline,
        RealmRates,
        ResponseCache,
        ResponseSender,
        ServedRequests,
        Slots,
        Turns,
      ],
    };
  }
}
