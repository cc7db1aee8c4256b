import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import { HttpModule } from './http/http.module.ts';
import type { GatewaySettings } from './settings.ts';

/** The gateway: HTTP requests in, typed requests over the bus out. It owns no data. */
@Module({})
export class GatewayModule {
  static with(settings: GatewaySettings): DynamicModule {
    return { module: GatewayModule, imports: [AccessModule, HttpModule.with(settings)] };
  }
}
