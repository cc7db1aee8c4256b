import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import type { Logger } from '@registrar/platform';
import { asks } from './asks.ts';
import { createFastifyAdapter } from './http/fastify-adapter.ts';
import { GatewayModule } from './gateway.module.ts';
import type { GatewaySettings } from './settings.ts';

export * from './settings.ts';

/** Starts the HTTP API on a bus that the contexts are connected to. */
export function startGateway(
  settings: GatewaySettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  return startApp({
    name: 'gateway',
    module: GatewayModule.with(settings),
    asks,
    transport,
    logger,
    http: { port: settings.PORT, adapter: createFastifyAdapter(logger) },
    managementPort: settings.MANAGEMENT_PORT,
  });
}
