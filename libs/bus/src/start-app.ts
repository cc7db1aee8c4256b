import { type Logger, nestLogger, type RunningApp } from '#libs/platform';
import {
  type ArgumentsHost,
  Catch,
  type DynamicModule,
  type ExceptionFilter,
  type INestApplicationContext,
  Module,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { CustomStrategy, NestMicroservice } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import { type Observable, throwError } from 'rxjs';
import { busEndpoint, BusModule } from './bus-module.ts';
import { BusServer } from './strategy.ts';
import type { BusEndpoint, BusTransport } from './transport.ts';

/** An app on the bus. */
export interface BusApp extends RunningApp {
  /** Where the app answers HTTP, such as `http://localhost:8080`; null when it does not. */
  readonly url: string | null;
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

/** Failures of handlers go to the caller as they are; Nest would make them all alike. */
@Catch()
class PassOn implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Starts a Nest application on a bus. Its module finds `BusClient` and, if it has a `Database`,
 * `Outbox` by injection; its controllers' handlers are delivered to once everything is initialised.
 *
 * `stop()` takes no more requests, events or connections, finishes what runs, and then closes.
 */
export async function startApp(options: {
  /** The name of the context, or of an app that only asks. */
  name: string;
  module: Type | DynamicModule;
  transport: BusTransport;
  logger: Logger;
  http?: HttpFace;
}): Promise<BusApp> {
  const { name, transport, logger, http } = options;
  const root = {
    module: class Root {},
    imports: [BusModule.join(name, transport, logger), options.module],
  };
  Module({})(root.module);
  let container: INestApplicationContext | undefined;
  const endpoint = () => container!.get<BusEndpoint>(busEndpoint);
  const strategy = new BusServer(
    logger,
    (server) => endpoint().serve(server),
    () => endpoint().drain(),
  );
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
    http.adapter ?? new FastifyAdapter({ forceCloseConnections: 'idle' }),
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
  try {
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
    stop: () => app.close(),
  };
}
