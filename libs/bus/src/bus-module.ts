import { Database } from '#libs/persistence';
import { appLogger, type Logger } from '#libs/platform';
import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { BusClient } from './client.ts';
import { Outbox } from './outbox.ts';
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

  static join(name: string, transport: BusTransport, logger: Logger): DynamicModule {
    return {
      module: BusModule,
      providers: [
        { provide: appLogger, useValue: logger },
        {
          provide: busEndpoint,
          useFactory: (database?: Database) =>
            transport.join({ name, logger, database: database ?? null }),
          inject: [{ token: Database, optional: true }],
        },
        {
          provide: BusClient,
          useFactory: (endpoint: BusEndpoint) => endpoint.client,
          inject: [busEndpoint],
        },
        { provide: BusConnection, useExisting: busEndpoint },
        {
          provide: Outbox,
          useFactory: (endpoint: BusEndpoint, database?: Database) =>
            database && new Outbox(database, endpoint.kick),
          inject: [busEndpoint, { token: Database, optional: true }],
        },
      ],
      exports: [appLogger, BusClient, BusConnection, Outbox],
    };
  }
}
