import { type ContextSchema, Database, openDatabase } from '@registrar/persistence';
import type { OnApplicationShutdown } from '@nestjs/common';

/**
 * The console's part of the database. Its name differs from `Database`, in which the bus looks for an outbox: the console
 * publishes no events.
 */
export class ConsoleDatabase extends Database implements OnApplicationShutdown {
  static async open(schema: ContextSchema, url: string): Promise<ConsoleDatabase> {
    const { dataSource } = await openDatabase(schema, url);
    return new ConsoleDatabase(dataSource);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }
}
