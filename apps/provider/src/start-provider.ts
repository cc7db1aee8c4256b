import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { type Logger } from '@registrar/platform';
import { asks } from './asks.ts';
import { httpServerOptions } from './http/http-server.ts';
import { ProviderModule } from './provider.module.ts';
import { type ProviderSettings } from './settings.ts';

/** Starts the course provider: HTTP for API clients and learners, the bus for `putApplication`. */
export function startProvider(
  settings: ProviderSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  const module = ProviderModule.register(settings);
  const http = httpServerOptions(settings.PROVIDER_PORT);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'provider', module, asks, transport, logger, http, managementPort });
}
