import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Registry } from 'prom-client';
import { type MigrationInterface } from 'typeorm';
import { Database } from './database.ts';
import { dataSourceOf, migrate } from './migrations.ts';
import { showPool } from './pool-gauges.ts';

/** A context's part of the database: a schema of its own, which no other context reads. */
export interface ContextSchema {
  /** The schema's name, the same as the context's. */
  readonly name: string;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- TypeORM's own type
  readonly entities: readonly Function[];
  /** In order; forward only; each class's name ends in its timestamp, as TypeORM wants it. */
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** Opens a context's schema, migrated to the newest version. */
export async function openDatabase(schema: ContextSchema, url: string): Promise<Database> {
  const dataSource = dataSourceOf(schema, url);
  await migrate(dataSource, schema.name, url);
  return new Database(dataSource);
}

/** Gives an app its {@link Database}, everywhere by injection, and closes it at the end. */
@Global()
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Registry) registry: Registry,
  ) {
    showPool(registry, database.dataSource);
  }

  static forContext(schema: ContextSchema, url: string): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [{ provide: Database, useFactory: () => openDatabase(schema, url) }],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.dataSource.destroy();
  }
}
