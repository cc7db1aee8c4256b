import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StartedApp, startApp } from '@registrar/bootstrap';
import { BusClient, inProcessTransport } from '@registrar/bus';
import { catalogSettings, startCatalog } from '@registrar/catalog';
import { consoleSettings, startConsole } from '@registrar/console';
import { beginSession } from '@registrar/console/testing';
import { crawlerSettings, startCrawler } from '@registrar/crawler';
import { enrolmentSettings, startEnrolment } from '@registrar/enrolment';
import { identitySettings, startIdentity } from '@registrar/identity';
import { Database } from '@registrar/persistence';
import { generateMasterKey } from '@registrar/platform';
import { providerSettings, startProvider } from '@registrar/provider';
import { prepareQuickstart } from '@registrar/quickstart';
import { createTestDatabase, testLogger } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Who opens a page: an operator, or a user with a role in the sample realm. */
export type Role = 'operator' | 'administrator' | 'author' | 'reader';

export type ConsoleSystem = Awaited<ReturnType<typeof startConsoleSystem>>;

/**
 * Starts a system with the console and a browser for the tests of a `describe`, and closes the windows of each test
 * that are not kept. A system takes as long as several tests, so that the pages of a file share one.
 *
 * @param settings of the console, beside those of every suite
 * @returns a function that returns the system; call it in hooks and tests
 */
export function useConsole(
  executablePath: string,
  settings: Readonly<Record<string, string>> = {},
): () => ConsoleSystem {
  let system: ConsoleSystem;
  beforeAll(async () => {
    system = await startConsoleSystem(executablePath, settings);
  });
  afterEach(() => system?.closeWindows());
  afterAll(() => system?.stop());
  return () => system;
}

/** Starts all apps but the gateway in this process, with the sample data of `npm start`, and a browser. */
async function startConsoleSystem(executablePath: string, given: Readonly<Record<string, string>>) {
  const server = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'registrar-console-'));
  const keyFile = join(directory, 'key');
  await writeFile(keyFile, generateMasterKey());
  const transport = inProcessTransport();
  const settings: Readonly<Record<string, string>> = {
    DATABASE_URL: server.url,
    MASTER_KEY_FILE: keyFile,
    LAUNCH_KEY_FILE: keyFile,
    PROVIDER_PORT: '0',
    CONSOLE_PORT: '0',
    ...given,
  };
  const parts = (app: string) => ({ transport, logger: testLogger(app).logger });
  const provider = await startProvider(providerSettings.parse(settings), parts('provider'));
  const identity = await startIdentity(identitySettings.parse(settings), parts('identity'));
  const catalog = await startCatalog(catalogSettings.parse(settings), parts('catalog'));
  const enrolment = await startEnrolment(enrolmentSettings.parse(settings), parts('enrolment'));
  const crawler = await startCrawler(crawlerSettings.parse(settings), parts('crawler'));
  const console = await startConsole(consoleSettings.parse(settings), parts('console'));
  const operator = await startApp({ name: 'operator', module: class {}, ...parts('operator') });
  const gateway = await startApp({ name: 'gateway', module: class {}, ...parts('gateway') });
  const apps = { provider, identity, catalog, enrolment, crawler, console, operator, gateway };
  const bus = operator.get(BusClient);
  const addresses = { baseUrl: 'http://localhost/api/v2', providerUrl: provider.url ?? '' };
  const quickstart = await prepareQuickstart(bus, addresses, join(directory, 'quickstart.json'));
  const url = settings['CONSOLE_URL'] ?? console.url ?? '';
  const browser = await openBrowser(executablePath);
  /** The windows of the roles, which stay open: a new one takes as much processor time as a page in it. */
  const kept = new Map<Role, KeptWindow>();
  const alone: BrowserContext[] = [];
  const signIn = async (context: BrowserContext, role: Role) => {
    const roles =
      role === 'operator'
        ? { operator: true, realms: {} }
        : { operator: false, realms: { [quickstart.realm_guid]: role } };
    await context.addCookies([await beginSession(console, `${role}@example.com`, roles)]);
  };
  const newContext = () => browser.newContext({ locale: 'en-GB' });
  const newWindow = async () => {
    const context = await newContext();
    alone.push(context);
    return keepWindow(context);
  };

  return {
    /** The sample realm, its provider application and course. */
    quickstart,
    /** The operator's requests. */
    bus,
    /** The requests of the clients of the API. */
    clientBus: gateway.get(BusClient),
    /** The console's URL for browsers, without a slash at its end. */
    url,
    /** The running console. */
    console,

    /** The database of a context, with its schema. */
    database: (context: 'identity' | 'catalog' | 'enrolment' | 'crawler' | 'provider'): Database =>
      apps[context].get(Database),

    /** Opens a page of the console as a user with a role, in the window that the role has for all tests. */
    async open(role: Role, path: string): Promise<ConsoleWindow> {
      const window = kept.get(role) ?? (await keepWindow(await newContext()));
      kept.set(role, window);
      await signIn(window.context, role);
      return window.open(url + path);
    },

    /** Opens a page of the console as a user with a role, in a browser that nothing was kept in. */
    async openNew(role: Role, path: string): Promise<ConsoleWindow> {
      const window = await newWindow();
      await signIn(window.context, role);
      return window.open(url + path);
    },

    /** Opens a page of the console in a browser that has no session. */
    openSignedOut: async (path: string): Promise<ConsoleWindow> =>
      (await newWindow()).open(url + path),

    /** Closes the windows that are not kept. */
    async closeWindows(): Promise<void> {
      await Promise.all(alone.splice(0).map((context) => context.close()));
    },

    async stop(): Promise<void> {
      await browser.close();
      for (const app of Object.values<StartedApp>(apps).toReversed()) await app.stop();
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}

/** A window with a page of the console. */
export interface ConsoleWindow {
  readonly page: Page;
  /** Uncaught exceptions and console errors, such as violations of the content security policy. */
  readonly errors: readonly string[];
}

type KeptWindow = Awaited<ReturnType<typeof keepWindow>>;

/** Opens a window, in which one page of the console is opened after the other. */
async function keepWindow(context: BrowserContext) {
  const page = await context.newPage();
  let errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return {
    context,
    async open(url: string): Promise<ConsoleWindow> {
      // Without a blank page in between, for which Chromium would take a new process.
      await page.goto(url, { waitUntil: 'commit' });
      errors = [];
      await page.waitForLoadState();
      return { page, errors };
    },
  };
}
