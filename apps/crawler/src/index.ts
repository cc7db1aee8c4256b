import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { type Logger } from '@registrar/platform';
import { CrawlerModule } from './crawler.module.ts';
import { type CrawlerSettings } from './settings.ts';

export * from './settings.ts';

/** Migrates the schema and starts a replica of the crawler on a bus. */
export function startCrawler(
  settings: CrawlerSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  const module = CrawlerModule.with(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'crawler', module, transport, logger, managementPort });
}
