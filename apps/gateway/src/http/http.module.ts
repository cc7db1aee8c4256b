import { AddressRates, type HttpLimits } from '@registrar/bootstrap';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccessModule } from '../access/access.module.ts';
import type { GatewaySettings } from '../settings.ts';
import { Admission } from '../admission/admission.ts';
import { OverLimit } from '../admission/over-limit.ts';
import { defaultRates, defaultRatesOf, RealmRates } from '../admission/realm-rates.ts';
import { Slots } from '../admission/slots.ts';
import { Turns } from '../admission/turns.ts';
import { ExportRecorder } from '../audit/export-recorder.ts';
import { CatalogVersions } from '../response-cache/catalog-versions.ts';
import { PostbackAccess } from '../postbacks/postback-access.ts';
import { PostbackRoutes } from '../postbacks/postback-routes.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import { apiRoot } from './api-root.ts';
import { ErrorResponder } from './error-responder.ts';
import { GlobalExceptionFilter } from './global-exception.filter.ts';
import { OperationRoutes } from './operation-routes.ts';
import { RequestMetrics } from './request-metrics.ts';
import { RequestPipeline } from './request-pipeline.ts';
import { corsOrigins } from './response-headers.ts';
import { ResponseSender } from './response-sender.ts';
import { minResponseDataRate } from './slow-reader.ts';

/** Serves the operations over HTTP. */
@Module({})
export class HttpModule {
  static with(
    settings: GatewaySettings,
    errors: ErrorResponder,
    limits: HttpLimits,
  ): DynamicModule {
    return {
      module: HttpModule,
      imports: [AccessModule],
      providers: [
        { provide: apiRoot, useValue: settings.API_ROOT },
        { provide: corsOrigins, useValue: settings.CORS_ORIGINS },
        { provide: APP_FILTER, useClass: GlobalExceptionFilter },
        { provide: ErrorResponder, useValue: errors },
        { provide: minResponseDataRate, useValue: limits.minDataRate },
        { provide: defaultRates, useValue: defaultRatesOf(settings) },
        { provide: AddressRates, useValue: new AddressRates(limits) },
        Admission,
        CatalogVersions,
        ExportRecorder,
        OperationRoutes,
        OverLimit,
        PostbackAccess,
        PostbackRoutes,
        RequestMetrics,
        RequestPipeline,
        RealmRates,
        ResponseCache,
        ResponseSender,
        Slots,
        Turns,
      ],
    };
  }
}
