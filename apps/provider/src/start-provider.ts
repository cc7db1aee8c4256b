import { type BusApp, type BusTransport, startApp } from '#libs/bus';
import { type Logger } from '#libs/platform';
import { httpFace } from './http/http-face.ts';
import { ProviderModule } from './provider-module.ts';
import { type ProviderSettings } from './settings.ts';

/** Starts the course provider: on a bus for its operator, over HTTP for everyone else. */
export function startProvider(
  settings: ProviderSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<BusApp> {
  const module = ProviderModule.with(settings);
  const http = httpFace(settings.PROVIDER_PORT);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'provider', module, transport, logger, http, managementPort });
}
