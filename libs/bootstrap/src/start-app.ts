import {
  BusModule,
  type BusOptions,
  BusServer,
  createBusMicroservice,
  Readiness,
} from '@registrar/bus';
import { isTracingEnabled, nestLogger } from '@registrar/platform';
import {
  type DynamicModule,
  type INestApplicationContext,
  Module,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ScheduleModule } from '@nestjs/schedule';
import { Registry } from 'prom-client';
import { Health } from './health.ts';
import { drainConnectionsOf, type HttpServerOptions, protectServer } from './http-server.ts';
import { type ManagementServer, startManagementServer } from './management-server.ts';
import { hasAppStartHook } from './on-app-start.ts';
import { PeriodicTasks } from './periodic-tasks.ts';
import { requireHttps } from './require-https.ts';
import type { RunningApp } from './run-process.ts';
import { isReporting, statusReporter } from './status-reporter.ts';
import { traceHttpRequests } from './trace-http-requests.ts';

/** An app that has started. */
export interface StartedApp extends RunningApp {
  /** Where the app serves HTTP, such as `http://localhost:8080`; null when it does not. */
  readonly url: string | null;
  /** Where the app serves its health and metrics; null when it does not. */
  readonly managementUrl: string | null;
  /** Returns a provider of the app's Nest container. */
  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T;
}

export interface AppOptions extends Omit<BusOptions, 'registry'> {
  /** The app's root module. */
  readonly module: Type | DynamicModule;
  /** Options of the HTTP server; without them, the app serves no HTTP. */
  readonly http?: HttpServerOptions;
  /** The TCP port of health and metrics; without it, they are not served. 0 lets the system choose. */
  readonly managementPort?: number | undefined;
}

/**
 * Starts a Nest application on a bus.
 *
 * Its providers get `BusClient`, a `Registry` for metrics and, with a `Database`, `Outbox` by
 * injection. Messages and HTTP requests arrive once every provider is initialized; then periodic
 * tasks begin, and the `onAppStart` hooks are called. Health and metrics are served from the first
 * moment to the last. `stop()` accepts no more messages or connections, finishes running work, and
 * disconnects.
 *
 * @throws when a provider cannot be initialized or a port is in use; everything is closed again
 */
export async function startApp(options: AppOptions): Promise<StartedApp> {
  const { name, logger, managementPort: port } = options;
  const registry = new Registry();
  registry.setDefaultLabels({ app: name });
  const health = new Health();
  let management: ManagementServer | null = null;
  if (port !== undefined) {
    management = await startManagementServer({ port, health, registry });
    logger.info({ url: management.url }, 'serving health and metrics');
  }
  try {
    const { app, url, drainConnections } = await startNest(options, registry);
    const readiness = app.get(Readiness);
    health.markStarted(() => readiness.faults());
    const discovery = app.get(DiscoveryService);
    for (const { instance } of [...discovery.getProviders(), ...discovery.getControllers()]) {
      if (hasAppStartHook(instance)) instance.onAppStart();
    }
    return {
      url,
      managementUrl: management?.url ?? null,
      get: (token) => app.get(token),
      drainConnections: async () => {
        health.markStopping();
        await drainConnections?.();
      },
      stop: async () => {
        health.markStopping();
        await app.close();
        await management?.close();
      },
    };
  } catch (error) {
    await management?.close();
    throw error;
  }
}

interface StartedNest {
  readonly app: INestApplicationContext;
  readonly url: string | null;
  readonly drainConnections?: () => Promise<void>;
}

async function startNest(
  { module, http, ...bus }: AppOptions,
  registry: Registry,
): Promise<StartedNest> {
  const root = class Root {};
  Module({
    imports: [
      DiscoveryModule,
      ScheduleModule.forRoot(),
      BusModule.forRoot({ ...bus, registry }),
      module,
    ],
    providers: [PeriodicTasks, ...(isReporting(bus.name) ? [statusReporter(bus.name)] : [])],
  })(root);
  const options = { logger: nestLogger(bus.logger), abortOnError: false };
  if (!http) {
    const app = await createBusMicroservice(root, options);
    await closingOnFailure(app, () => app.listen());
    return { app, url: null };
  }
  const app = await NestFactory.create<NestFastifyApplication>(root, http.adapter, {
    ...options,
    // readBodies
    bodyParser: false,
  });
  return closingOnFailure(app, async () => {
    const drainConnections = drainConnectionsOf(app);
    if (isTracingEnabled()) traceHttpRequests(app.getHttpAdapter().getInstance());
    protectServer(app, http, registry);
    requireHttps(app.getHttpAdapter().getInstance(), http.publicUrl);
    await http.configure?.(app);
    app.connectMicroservice({ strategy: app.get(BusServer) });
    await app.init();
    await app.startAllMicroservices();
    await app.listen({ port: http.port, host: '::', backlog: http.limits.maxConnections });
    const { port } = app.getHttpServer().address() as { port: number };
    return { app, url: `http://localhost:${port}`, drainConnections };
  });
}

async function closingOnFailure<T>(
  app: INestApplicationContext,
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await app.close();
    throw error;
  }
}
