import { isContext } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { appLogger, type Logger } from '@registrar/platform';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Registry } from 'prom-client';
import { assertHandlersOnControllers } from './assert-handlers-on-controllers.ts';
import { BusClient } from './bus-client.ts';
import { BusMetrics } from './bus-metrics.ts';
import { BusServer } from './bus-server.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import { Outbox } from './outbox.ts';
import { registerOutboxGauges } from './outbox-gauges.ts';
import { parkedEventsHandler } from './parked-events.handler.ts';
import { PruneBusTables } from './prune-bus-tables.ts';
import { Readiness } from './readiness.ts';
import { RejectedMessages } from './rejected-messages.ts';
import { type BusEndpoint, busEndpoint, type BusTransport } from './transport.ts';

/** The app's connection to the bus. Inject it to drop cached data when broadcasts may have been missed. */
export abstract class BusConnection {
  /** Calls `listener` after every reconnect: broadcasts in between were not received. */
  abstract onReconnect(listener: () => void): void;
}

export interface BusOptions {
  /** The name of the context, or of an app without handlers, such as `gateway`. */
  readonly name: string;
  readonly transport: BusTransport;
  readonly logger: Logger;
  /** Where the bus registers its metrics. */
  readonly registry: Registry;
  /** Whether the operator's requests for parked events are handled: true by default. For suites. */
  readonly handlesParkedEvents?: boolean;
}

/**
 * Connects a Nest application to the bus. Its providers get a {@link BusClient} and, with a
 * `Database`, an {@link Outbox} by injection; the handlers on its controllers receive messages when
 * {@link BusServer}, Nest's transport strategy, listens. Shutdown closes that after every other module's
 * `beforeApplicationShutdown` at the latest, and disconnects in `onApplicationShutdown`.
 */
@Global()
@Module({})
export class BusModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(busEndpoint) private readonly endpoint: BusEndpoint,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    assertHandlersOnControllers(this.discovery);
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this.endpoint;
    await server.close();
    await server.relay?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.endpoint.connection?.close();
  }

  static forRoot({
    name,
    transport,
    logger,
    registry,
    handlesParkedEvents = true,
  }: BusOptions): DynamicModule {
    const ownDatabase = { token: Database, optional: true };
    return {
      module: BusModule,
      imports: [DiscoveryModule],
      controllers: handlesParkedEvents && isContext(name) ? [parkedEventsHandler(name)] : [],
      providers: [
        PruneBusTables,
        { provide: appLogger, useValue: logger },
        { provide: Registry, useValue: registry },
        BusMetrics,
        RejectedMessages,
        IdempotencyStore,
        Readiness,
        {
          provide: busEndpoint,
          useFactory: (metrics: BusMetrics, rejected: RejectedMessages, database?: Database) =>
            transport.join({ name, logger, metrics, rejected, database: database ?? null }),
          inject: [BusMetrics, RejectedMessages, ownDatabase],
        },
        {
          provide: BusServer,
          useFactory: ({ server }: BusEndpoint) => server,
          inject: [busEndpoint],
        },
        {
          provide: BusClient,
          useFactory: ({ client }: BusEndpoint) => client,
          inject: [busEndpoint],
        },
        {
          provide: BusConnection,
          useFactory: ({ connection }: BusEndpoint): BusConnection =>
            connection ?? { onReconnect: () => undefined },
          inject: [busEndpoint],
        },
        {
          provide: Outbox,
          useFactory: ({ server }: BusEndpoint, database?: Database) => {
            if (!database) return undefined;
            registerOutboxGauges(registry, database);
            return new Outbox(database, () => server.relay?.relayNow());
          },
          inject: [busEndpoint, ownDatabase],
        },
      ],
      exports: [
        appLogger,
        Registry,
        BusClient,
        BusConnection,
        BusServer,
        BusMetrics,
        RejectedMessages,
        Outbox,
        IdempotencyStore,
        Readiness,
      ],
    };
  }
}
