import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Access } from './access/access.ts';
import { AccessChanges } from './access/access-changes.ts';
import { Admission } from './http/admission.ts';
import { AnswerRequest } from './http/answer-request.ts';
import { allowedOrigins } from './http/cross-origin.ts';
import { EmptyRefusals } from './http/empty-refusals.ts';
import { apiRoot, Routes } from './http/routes.ts';
import { Refusals } from './http/refusals.ts';
import { RequestMetrics } from './http/request-metrics.ts';
import type { GatewaySettings } from './settings.ts';

/** The edge: HTTP in, typed requests over the bus out. It owns no data. */
@Module({})
export class GatewayModule {
  static with(settings: GatewaySettings): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [AccessChanges],
      providers: [
        { provide: apiRoot, useValue: settings.API_ROOT },
        { provide: allowedOrigins, useValue: settings.CORS_ORIGINS },
        { provide: APP_FILTER, useClass: EmptyRefusals },
        Access,
        Admission,
        AnswerRequest,
        Refusals,
        RequestMetrics,
        Routes,
      ],
    };
  }
}
