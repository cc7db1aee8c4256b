import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCatalog } from '#apps/catalog';
import { startCrawler } from '#apps/crawler';
import { startEnrolment } from '#apps/enrolment';
import { startGateway } from '#apps/gateway';
import { startIdentity } from '#apps/identity';
import {
  prepareQuickstart,
  type Quickstart,
  readQuickstart,
  refreshQuickstart,
} from '#apps/operator';
import { startProvider } from '#apps/provider';
import { BusClient, inProcessTransport } from '#libs/bus';
import { startEmbeddedPostgres } from '#libs/persistence';
import { generateMasterKey, type Logger, managementPortAt, type RunningApp } from '#libs/platform';
import type { StandaloneSettings } from './settings.ts';

/** The whole product in one process. */
export interface Standalone extends RunningApp {
  readonly quickstart: Quickstart;
  readonly quickstartFile: string;
  readonly providerUrl: string;
}

/**
 * Starts every app on the in-process bus and an embedded PostgreSQL whose data lie under
 * `DATA_DIR`. On the first start it makes the master key, a demo realm and a sample course.
 */
export async function startStandalone(
  settings: StandaloneSettings,
  loggerOf: (app: string) => Logger,
): Promise<Standalone> {
  const running: RunningApp[] = [];
  /** The reverse of the starts: the gateway stops taking requests before what answers them. */
  const stop = async () => {
    for (const app of running.reverse()) await app.stop();
  };
  const keep = <App extends RunningApp>(app: App): App => {
    running.push(app);
    return app;
  };
  try {
    const masterKeyFile = await keptMasterKey(settings.DATA_DIR);
    const postgres = keep(await startEmbeddedPostgres(join(settings.DATA_DIR, 'postgres')));
    const own = { ...settings, DATABASE_URL: postgres.url, MASTER_KEY_FILE: masterKeyFile };
    const transport = inProcessTransport();
    const parts = (app: string) => ({ transport, logger: loggerOf(app) });
    const ownAt = (place: number) => ({
      ...own,
      MANAGEMENT_PORT: managementPortAt(settings.MANAGEMENT_PORT, place),
    });

    const provider = keep(await startProvider(ownAt(0), parts('provider')));
    keep(await startIdentity(ownAt(1), parts('identity')));
    keep(await startCatalog(ownAt(2), parts('catalog')));
    keep(await startEnrolment(ownAt(3), parts('enrolment')));
    keep(await startCrawler(ownAt(4), parts('crawler')));
    const gateway = keep(await startGateway(ownAt(5), parts('gateway')));

    const providerUrl = provider.url ?? '';
    const baseUrl = `${settings.PUBLIC_URL ?? gateway.url}${settings.API_ROOT}`;
    const quickstartFile = join(settings.DATA_DIR, 'quickstart.json');
    const bus = gateway.get(BusClient);
    const addresses = { baseUrl, providerUrl };
    const known = await readQuickstart(quickstartFile);
    const quickstart = known
      ? await refreshQuickstart(bus, known, addresses, quickstartFile)
      : await prepareQuickstart(bus, addresses, quickstartFile);
    return { quickstart, quickstartFile, providerUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function keptMasterKey(directory: string): Promise<string> {
  const file = join(directory, 'master.key');
  await mkdir(directory, { recursive: true });
  if (!existsSync(file)) await writeFile(file, generateMasterKey(), { mode: 0o600, flag: 'wx' });
  return file;
}
