import {
  Health,
  type Logger,
  type ManagementServer,
  nestLogger,
  type RunningApp,
  startManagementServer,
  traceRequests,
  wantsAppStart,
} from '#libs/platform';
import {
  type ArgumentsHost,
  Catch,
  type DynamicModule,
  type ExceptionFilter,
  type INestApplicationContext,
  Module,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import type { CustomStrategy, NestMicroservice } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import 'reflect-metadata';
import { type Observable, throwError } from 'rxjs';
import { BusMetrics } from './bus-metrics.ts';
import { busEndpoint, BusModule } from './bus-module.ts';
import { Outcomes } from './outcomes.ts';
import { Readiness } from './readiness.ts';
import { BusServer } from './strategy.ts';
import type { BusEndpoint, BusTransport } from './transport.ts';

/** An app on the bus. */
export interface BusApp extends RunningApp {
  /** Where the app answers HTTP, such as `http://localhost:8080`; null when it does not. */
  readonly url: string | null;
  /** Where the app tells its health and metrics; null when it does not. */
  readonly managementUrl: string | null;
  /** Something of the app's Nest container. */
  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T;
}

/** How an app answers HTTP. */
export interface HttpFace {
  /** 0 lets the system choose. */
  readonly port: number;
  /** The options of Fastify's server; without them, Nest's defaults. */
  readonly adapter?: FastifyAdapter;
  /** Called before the app is initialised: plugins, hooks, filters. */
  configure?(app: NestFastifyApplication): Promise<void> | void;
}

/**
 * How Fastify's server closes: what is on its way on an open connection is still answered, and
 * connections at rest are closed.
 */
export const gracefulClose = { forceCloseConnections: 'idle', return503OnClosing: false } as const;

/**
 * How long callers over HTTP are told with each answer to use another connection, before those at
 * rest are closed: milliseconds. A request that crossed with the end of its connection would be lost.
 */
const leavingTime = 500;

/** Failures of handlers go to the caller as they are; Nest would make them all alike. */
@Catch()
class PassOn implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

interface AppOptions {
  /** The name of the context, or of an app that only asks. */
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly transport: BusTransport;
  readonly logger: Logger;
  readonly http?: HttpFace;
}

/**
 * Starts a Nest application on a bus. Its module finds `BusClient`, a `Registry` for its metrics
 * and, if it has a `Database`, `Outbox` by injection; its controllers' handlers are delivered to
 * once everything is initialised.
 *
 * With `managementPort` the app tells its health from the first moment to the last, and its
 * metrics. `stop()` takes no more requests, events or connections, finishes what runs, and then
 * closes.
 */
export async function startApp(
  options: AppOptions & { managementPort?: number | undefined },
): Promise<BusApp> {
  const { name, logger, managementPort: port } = options;
  const registry = new Registry();
  registry.setDefaultLabels({ app: name });
  const health = new Health();
  let management: ManagementServer | null = null;
  if (port !== undefined) {
    management = await startManagementServer({ port, health, registry });
    logger.info({ url: management.url }, 'health and metrics are told');
  }
  try {
    const app = await startNest(options, registry);
    const readiness = app.get(Readiness);
    health.begin(() => readiness.faults());
    for (const { instance } of app.get(DiscoveryService).getProviders()) {
      if (wantsAppStart(instance)) instance.onAppStart();
    }
    return {
      ...app,
      managementUrl: management?.url ?? null,
      leave: async () => {
        health.end();
        await app.leave?.();
      },
      stop: async () => {
        health.end();
        await app.stop();
        await management?.close();
      },
    };
  } catch (error) {
    await management?.close();
    throw error;
  }
}

async function startNest(
  { name, module, transport, logger, http }: AppOptions,
  registry: Registry,
): Promise<Omit<BusApp, 'managementUrl'>> {
  const metrics = new BusMetrics(registry);
  let container: INestApplicationContext | undefined;
  const endpoint = () => container!.get<BusEndpoint>(busEndpoint);
  const strategy = new BusServer(
    logger,
    (server) => endpoint().serve(server),
    () => endpoint().drain(),
    metrics,
    () => container!.get(Outcomes),
  );
  const root = {
    module: class Root {},
    imports: [
      DiscoveryModule,
      BusModule.join({ name, transport, logger, registry, server: strategy }),
      module,
    ],
  };
  Module({})(root.module);
  const log = nestLogger(logger);
  if (!http) {
    const app = await NestFactory.createMicroservice(root, {
      strategy,
      logger: log,
      abortOnError: false,
    });
    container = app;
    app.useGlobalFilters(new PassOn());
    try {
      await app.listen();
    } catch (error) {
      await app.close();
      throw error;
    }
    return { url: null, get: (token) => app.get(token), stop: () => app.close() };
  }
  const app = await NestFactory.create<NestFastifyApplication>(
    root,
    http.adapter ?? new FastifyAdapter(gracefulClose),
    { logger: log, abortOnError: false },
  );
  container = app;
  const microservice = app.connectMicroservice<CustomStrategy>(
    { strategy },
    { deferInitialization: true },
  ) as NestMicroservice;
  microservice.useGlobalFilters(new PassOn());
  // The application calls the hooks of the modules that both share.
  microservice.setIsInitHookCalled(true);
  let leaving = false;
  try {
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onSend', async (_request, reply) => {
        if (leaving) void reply.header('connection', 'close');
      });
    traceRequests(app.getHttpAdapter().getInstance());
    await http.configure?.(app);
    await app.init();
    await app.startAllMicroservices();
    await app.listen(http.port, '::');
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as { port: number };
  return {
    url: `http://localhost:${port}`,
    get: (token) => app.get(token),
    leave: async () => {
      leaving = true;
      await pause(leavingTime);
    },
    stop: () => app.close(),
  };
}
