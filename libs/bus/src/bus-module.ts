import { Database } from '#libs/persistence';
import { appLogger, type Logger } from '#libs/platform';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Registry } from 'prom-client';
import { BusClient } from './client.ts';
import { Outbox } from './outbox.ts';
import { showOutbox } from './outbox-gauges.ts';
import { Outcomes } from './outcomes.ts';
import { isContext, parkedRequests } from './parked-requests.ts';
import { Readiness } from './readiness.ts';
import { BusServer } from './strategy.ts';
import type { BusEndpoint, BusTransport } from './transport.ts';

/** Told when broadcasts may have been missed, so that what they keep fresh can be dropped. */
export abstract class BusConnection {
  abstract onReconnect(listener: () => void): void;
}

export const busEndpoint = Symbol('bus endpoint');

/** Gives an app its logger, its {@link BusClient} and, if it has a database, its {@link Outbox}. */
@Global()
@Module({})
export class BusModule implements OnApplicationShutdown {
  constructor(@Inject(busEndpoint) private readonly endpoint: BusEndpoint) {}

  /** After everything that the app does before its shutdown, which may still ask others. */
  async onApplicationShutdown(): Promise<void> {
    await this.endpoint.close();
  }

  static join(options: {
    name: string;
    transport: BusTransport;
    logger: Logger;
    registry: Registry;
    server: BusServer;
  }): DynamicModule {
    const { name, transport, logger, registry, server } = options;
    const { metrics } = server;
    const ownDatabase = { token: Database, optional: true };
    return {
      module: BusModule,
      controllers: isContext(name) ? [parkedRequests(name)] : [],
      providers: [
        { provide: BusServer, useValue: server },
        { provide: appLogger, useValue: logger },
        { provide: Registry, useValue: registry },
        {
          provide: busEndpoint,
          useFactory: (database?: Database) =>
            transport.join({ name, logger, metrics, database: database ?? null }),
          inject: [ownDatabase],
        },
        {
          provide: BusClient,
          useFactory: (endpoint: BusEndpoint) => endpoint.client,
          inject: [busEndpoint],
        },
        { provide: BusConnection, useExisting: busEndpoint },
        {
          provide: Outbox,
          useFactory: (endpoint: BusEndpoint, database?: Database) => {
            if (!database) return undefined;
            showOutbox(registry, database);
            return new Outbox(database, endpoint.kick);
          },
          inject: [busEndpoint, ownDatabase],
        },
        {
          provide: Outcomes,
          useFactory: (database?: Database) => new Outcomes(database ?? null),
          inject: [ownDatabase],
        },
        {
          provide: Readiness,
          useFactory: (endpoint: BusEndpoint, database?: Database) =>
            new Readiness(endpoint, database ?? null),
          inject: [busEndpoint, ownDatabase],
        },
      ],
      exports: [appLogger, Registry, BusClient, BusConnection, Outbox, Outcomes],
    };
  }
}
