import { type BusApp, type BusTransport, startApp } from '#libs/bus';
import type { Logger } from '#libs/platform';
import { edgeAdapter } from './http/edge-adapter.ts';
import { GatewayModule } from './gateway-module.ts';
import type { GatewaySettings } from './settings.ts';

export * from './settings.ts';

/** Starts the edge: the HTTP API, on a bus where the contexts answer. */
export function startGateway(
  settings: GatewaySettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<BusApp> {
  return startApp({
    name: 'gateway',
    module: GatewayModule.with(settings),
    transport,
    logger,
    http: { port: settings.PORT, adapter: edgeAdapter(logger) },
    managementPort: settings.MANAGEMENT_PORT,
  });
}
