import { join } from 'node:path';
import { startCatalog } from '@registrar/catalog';
import { createSignInLink, startConsole } from '@registrar/console';
import { startCrawler } from '@registrar/crawler';
import { startEnrolment } from '@registrar/enrolment';
import { type RefusedRequest, startGateway } from '@registrar/gateway';
import { startIdentity } from '@registrar/identity';
import { startProvider } from '@registrar/provider';
import {
  prepareQuickstart,
  type Quickstart,
  readQuickstart,
  refreshQuickstart,
} from '@registrar/quickstart';
import { BusClient, inProcessTransport, type InProcessTransport } from '@registrar/bus';
import { startEmbeddedPostgres } from '@registrar/persistence';
import { type RunningApp, startApp } from '@registrar/bootstrap';
import { type Logger, managementPortAt, Sealing } from '@registrar/platform';
import { keptKey } from './kept-key.ts';
import { moveOwnApplications } from './move-own-applications.ts';
import { requireFreePorts } from './require-free-ports.ts';
import { requireUnusedDirectory, serveCommandLine } from './serve-command-line.ts';
import type { StandaloneSettings } from './settings.ts';

/** The whole product in one process. */
export interface Standalone extends RunningApp {
  readonly quickstart: Quickstart;
  readonly quickstartFile: string;
  readonly providerUrl: string;
  /** Signs an operator in to the console, once; null without a console. */
  readonly signInLink: string | null;
  /** What the user should know about this start, a line each. */
  readonly notices: readonly string[];
}

interface StandaloneOptions {
  /** The PostgreSQL to use; null for an embedded one. */
  readonly databaseUrl: string | null;
  /** Called for requests that the API answers with an error; for those that it sheds, at an interval. */
  readonly onRefused: (request: RefusedRequest) => void;
  /** The bus of the apps; a new one by default. */
  readonly transport?: InProcessTransport;
}

/**
 * Starts every app on the in-process bus and, without `databaseUrl`, on an embedded PostgreSQL
 * whose data lie under `DATA_DIR`. On the first start it makes the keys, a demo realm and a sample course.
 */
export async function startStandalone(
  settings: StandaloneSettings,
  loggerOf: (app: string) => Logger,
  { databaseUrl, onRefused, transport = inProcessTransport() }: StandaloneOptions,
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
    await requireUnusedDirectory(settings.DATA_DIR);
    const { PORT, PROVIDER_PORT, CONSOLE_PORT } = settings;
    const hasConsole = settings.CONSOLE === 'on';
    await requireFreePorts({ PORT, PROVIDER_PORT, ...(hasConsole && { CONSOLE_PORT }) });
    const masterKeyFile = await keptKey(settings.DATA_DIR, 'master.key');
    const launchKeyFile = await keptKey(settings.DATA_DIR, 'launch.key');
    const postgres = databaseUrl
      ? { url: databaseUrl, notice: null }
      : keep(await startEmbeddedPostgres(join(settings.DATA_DIR, 'postgres')));
    const own = {
      ...settings,
      DATABASE_URL: postgres.url,
      MASTER_KEY_FILE: masterKeyFile,
      LAUNCH_KEY_FILE: launchKeyFile,
      PROVIDER_POSTBACK_ORIGINS: settings.PROVIDER_POSTBACK_ORIGINS ?? [`http://localhost:${PORT}`],
      POSTBACK_URL: settings.POSTBACK_URL ?? ownPostbackUrl(PORT),
    };
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
    const gateway = keep(await startGateway(ownAt(5), { ...parts('gateway'), onRefused }));

    const providerUrl = provider.url ?? '';
    const baseUrl = `${settings.PUBLIC_URL ?? gateway.url}${settings.API_ROOT}`;
    const quickstartFile = join(settings.DATA_DIR, 'quickstart.json');
    // The sample data are created by requests that only the operator may send.
    const operator = keep(
      await startApp({ name: 'operator', module: class {}, ...parts('operator') }),
    );
    const bus = operator.get(BusClient);
    const addresses = { baseUrl, providerUrl };
    const known = await readQuickstart(quickstartFile);
    if (known) {
      const move = { from: known.provider_url, to: providerUrl };
      const sealing = Sealing.fromKeyFile(masterKeyFile);
      await moveOwnApplications(bus, move, sealing, loggerOf('standalone'));
    }
    const quickstart = known
      ? await refreshQuickstart(bus, known, addresses, quickstartFile)
      : await prepareQuickstart(bus, addresses, quickstartFile);
    const signInLink = hasConsole
      ? await createSignInLink(keep(await startConsole(ownAt(6), parts('console'))))
      : null;
    // PostgreSQL has made sure that no other process uses this directory and its socket.
    const { socket, notice } = await serveCommandLine(settings.DATA_DIR, transport);
    if (socket) keep({ stop: () => socket.close() });
    const notices = [postgres.notice, notice].filter((each) => each !== null);
    for (const each of notices) loggerOf('standalone').info(each);
    return { quickstart, quickstartFile, providerUrl, signInLink, notices, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The gateway's own address for postbacks; undefined for a port that the system has yet to choose. */
const ownPostbackUrl = (port: number): string | undefined =>
  port === 0 ? undefined : `http://localhost:${port}`;
