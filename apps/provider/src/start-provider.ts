import { type HttpLimits, httpLimits, type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { type Logger } from '@registrar/platform';
import { httpServerOptions } from './http/http-server.ts';
import { defaultDownloadLimits, type DownloadLimits } from './launches/downloads.ts';
import { defaultPostbackTimes, type PostbackTimes } from './postbacks/postback-times.ts';
import { ProviderModule } from './provider.module.ts';
import { type ProviderSettings } from './settings.ts';

interface ProviderParts {
  readonly transport: BusTransport;
  readonly logger: Logger;
  /** Shorter times, for suites. */
  readonly limits?: Partial<HttpLimits>;
  readonly downloads?: Partial<DownloadLimits>;
  readonly postbacks?: Partial<PostbackTimes>;
}

/** Starts the course provider: HTTP for API clients and learners, the bus for `putApplication`. */
export function startProvider(
  settings: ProviderSettings,
  { transport, logger, ...shortened }: ProviderParts,
): Promise<StartedApp> {
  const limits = { ...httpLimits(settings), ...shortened.limits };
  const module = ProviderModule.register(settings, {
    failedAccesses: limits.failedAccesses,
    downloads: {
      ...defaultDownloadLimits,
      trustsPeer: limits.trustsPeer,
      ...shortened.downloads,
    },
    postbacks: { ...defaultPostbackTimes, ...shortened.postbacks },
  });
  const { PROVIDER_PORT: port, PROVIDER_CONTENT_URL: publicUrl } = settings;
  const http = { ...httpServerOptions(limits), port, publicUrl };
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'provider', module, transport, logger, http, managementPort });
}
