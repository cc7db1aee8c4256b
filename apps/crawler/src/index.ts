import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { type Logger } from '@registrar/platform';
import { CrawlerModule } from './crawler.module.ts';
import { listSizes, type ListSizes } from './crawls/list-sizes.ts';
import { type CrawlerSettings } from './settings.ts';

export * from './settings.ts';

interface CrawlerParts {
  readonly transport: BusTransport;
  readonly logger: Logger;
  /** Smaller sizes, for suites. */
  readonly sizes?: Partial<ListSizes>;
}

/** Migrates the schema and starts a replica of the crawler on a bus. */
export function startCrawler(
  settings: CrawlerSettings,
  { transport, logger, sizes }: CrawlerParts,
): Promise<StartedApp> {
  const module = CrawlerModule.with(settings, { ...listSizes, ...sizes });
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'crawler', module, transport, logger, managementPort });
}
