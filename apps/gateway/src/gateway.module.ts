import { failedAccesses, type HttpLimits } from '@registrar/bootstrap';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import type { ErrorResponder } from './http/error-responder.ts';
import { HttpModule } from './http/http.module.ts';
import type { GatewaySettings } from './settings.ts';

/** The gateway: HTTP requests in, typed requests over the bus out. It owns no data. */
@Module({})
export class GatewayModule {
  static with(
    settings: GatewaySettings,
    errors: ErrorResponder,
    limits: HttpLimits,
  ): DynamicModule {
    const http = HttpModule.with(settings, errors, limits);
    return {
      module: GatewayModule,
      // The access module uses its provider.
      global: true,
      imports: [AccessModule, http],
      providers: [{ provide: failedAccesses, useValue: limits.failedAccesses }],
      exports: [failedAccesses],
    };
  }
}
