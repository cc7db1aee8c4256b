import { type BusApp, type BusTransport, startApp } from '#libs/bus';
import { type Logger } from '#libs/platform';
import { CatalogModule } from './catalog-module.ts';
import { type CatalogSettings } from './settings.ts';

export * from './settings.ts';

/** Starts the catalog context on a bus, its schema migrated. */
export function startCatalog(
  settings: CatalogSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<BusApp> {
  const module = CatalogModule.with(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'catalog', module, transport, logger, managementPort });
}
