import type { Context } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { appLogger, type Logger, runtimeChecks } from '@registrar/platform';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import { Registry } from 'prom-client';
import { BusClient } from './bus-client.ts';
import { BusMetrics } from './bus-metrics.ts';
import { BusServer } from './bus-server.ts';
import { DeclaredClient } from './declared-client.ts';
import { findHandlers } from './find-handlers.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import { Outbox } from './outbox.ts';
import { registerOutboxGauges } from './outbox-gauges.ts';
import { isContext, parkedEventsHandler } from './parked-events.handler.ts';
import { PruneBusTables } from './prune-bus-tables.ts';
import { Readiness } from './readiness.ts';
import type { BusEndpoint, BusTransport } from './transport.ts';

/** The app's connection to the bus. Inject it to drop cached data when broadcasts may have been missed. */
export abstract class BusConnection {
  /** Calls `listener` after every reconnect: broadcasts in between were not received. */
  abstract onReconnect(listener: () => void): void;
}

const busEndpoint = Symbol('bus endpoint');

export interface BusOptions {
  /** The name of the context, or of an app without handlers, such as `gateway`. */
  readonly name: string;
  readonly transport: BusTransport;
  readonly logger: Logger;
  /** Where the bus registers its metrics. */
  readonly registry: Registry;
  /** The contexts that the app sends requests to; none by default. Checked in development and tests. */
  readonly asks?: readonly Context[];
  /** Whether the operator's requests for parked events are handled: true by default. For suites. */
  readonly handlesParkedEvents?: boolean;
}

/**
 * Connects a Nest application to the bus. Its providers get a {@link BusClient} and, with a
 * `Database`, an {@link Outbox} by injection; their handlers receive messages from
 * {@link BusServer.start} on. Shutdown drains the handlers after every other module's
 * `beforeApplicationShutdown`, and disconnects in `onApplicationShutdown`.
 */
@Global()
@Module({})
export class BusModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(busEndpoint) private readonly endpoint: BusEndpoint,
    @Inject(BusServer) private readonly server: BusServer,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.server.drain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.endpoint.close();
  }

  static forRoot({
    name,
    transport,
    logger,
    registry,
    asks = [],
    handlesParkedEvents = true,
  }: BusOptions): DynamicModule {
    const ownDatabase = { token: Database, optional: true };
    return {
      module: BusModule,
      imports: [DiscoveryModule],
      providers: [
        ...(handlesParkedEvents && isContext(name) ? [parkedEventsHandler(name)] : []),
        PruneBusTables,
        { provide: appLogger, useValue: logger },
        { provide: Registry, useValue: registry },
        { provide: BusMetrics, useFactory: () => new BusMetrics(registry) },
        {
          provide: busEndpoint,
          useFactory: (metrics: BusMetrics, database?: Database) =>
            transport.join({ name, logger, metrics, database: database ?? null }),
          inject: [BusMetrics, ownDatabase],
        },
        {
          provide: BusServer,
          useFactory: (
            endpoint: BusEndpoint,
            metrics: BusMetrics,
            idempotency: IdempotencyStore,
            discovery: DiscoveryService,
            contexts: ExternalContextCreator,
          ) =>
            new BusServer(logger, endpoint, metrics, idempotency, () =>
              findHandlers(discovery, contexts, name),
            ),
          inject: [
            busEndpoint,
            BusMetrics,
            IdempotencyStore,
            DiscoveryService,
            ExternalContextCreator,
          ],
        },
        {
          provide: BusClient,
          useFactory: ({ client }: BusEndpoint) =>
            runtimeChecks ? new DeclaredClient(client, name, asks) : client,
          inject: [busEndpoint],
        },
        { provide: BusConnection, useExisting: busEndpoint },
        {
          provide: Outbox,
          useFactory: (endpoint: BusEndpoint, database?: Database) => {
            if (!database) return undefined;
            registerOutboxGauges(registry, database);
            return new Outbox(database, endpoint.relayNow);
          },
          inject: [busEndpoint, ownDatabase],
        },
        {
          provide: IdempotencyStore,
          useFactory: (database?: Database) => new IdempotencyStore(database ?? null),
          inject: [ownDatabase],
        },
        {
          provide: Readiness,
          useFactory: (endpoint: BusEndpoint, database?: Database) =>
            new Readiness(endpoint, database ?? null),
          inject: [busEndpoint, ownDatabase],
        },
      ],
      exports: [
        appLogger,
        Registry,
        BusClient,
        BusConnection,
        BusServer,
        Outbox,
        IdempotencyStore,
        Readiness,
      ],
    };
  }
}
