import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { type Logger } from '@registrar/platform';
import { CatalogModule } from './catalog.module.ts';
import { type CatalogSettings } from './settings.ts';

export * from './settings.ts';

/** Starts the catalog context on a bus, its schema migrated. */
export function startCatalog(
  settings: CatalogSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  const module = CatalogModule.with(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'catalog', module, transport, logger, managementPort });
}
