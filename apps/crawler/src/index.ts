import { type BusApp, type BusTransport, startApp } from '#libs/bus';
import { type Logger } from '#libs/platform';
import { CrawlerModule } from './crawler-module.ts';
import { type CrawlerSettings } from './settings.ts';

export * from './settings.ts';

/** Starts a replica of the crawler on a bus, its schema migrated. */
export function startCrawler(
  settings: CrawlerSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<BusApp> {
  const module = CrawlerModule.with(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'crawler', module, transport, logger, managementPort });
}
