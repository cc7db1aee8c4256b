import { AddressRates, type HttpLimits } from '@registrar/bootstrap';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccessModule } from '../access/access.module.ts';
import type { GatewaySettings } from '../settings.ts';
import { BodyMemory } from '../bodies/body-memory.ts';
import { defaultLimits, defaultLimitsOf } from '../limits/default-limits.ts';
import { OverLimit } from '../limits/over-limit.ts';
import { RequestRates } from '../limits/request-rates.ts';
import { RequestTurns } from '../limits/request-turns.ts';
import { SharedDemand } from '../limits/shared-demand.ts';
import { auditExportRows, ExportRecorder } from '../audit/export-recorder.ts';
import { CatalogVersions } from '../response-cache/catalog-versions.ts';
import { PostbackAccess } from '../postbacks/postback-access.ts';
import { PostbackRoutes } from '../postbacks/postback-routes.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import { apiRoot } from './api-root.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { corsOrigins } from './cors.ts';
import { ErrorResponder } from './error-responder.ts';
import { GlobalExceptionFilter } from './global-exception.filter.ts';
import { OperationRoutes } from './operation-routes.ts';
import { RequestMetrics } from './request-metrics.ts';
import { RequestPipeline } from './request-pipeline.ts';
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
        { provide: defaultLimits, useValue: defaultLimitsOf(settings) },
        { provide: auditExportRows, useValue: settings.AUDIT_EXPORT_ROWS },
        { provide: AddressRates, useValue: new AddressRates(limits) },
        BodyMemory,
        CatalogVersions,
        ConcurrencyLimiter,
        ExportRecorder,
        OperationRoutes,
        OverLimit,
        PostbackAccess,
        PostbackRoutes,
        RequestMetrics,
        RequestPipeline,
        RequestRates,
        RequestTurns,
        ResponseCache,
        ResponseSender,
        SharedDemand,
      ],
    };
  }
}
