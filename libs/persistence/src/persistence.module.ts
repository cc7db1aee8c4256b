import { type DynamicModule, Global, Inject, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import {
  type ContextDataSource,
  type ContextSchema,
  dataSourceOptions,
} from './context-data-source.ts';
import { Database } from './database.ts';
import { openDataSource } from './migrations.ts';
import { registerPoolGauges } from './pool-gauges.ts';

/** Opens a context's schema, migrated to the newest version. */
export async function openDatabase(schema: ContextSchema, url: string): Promise<Database> {
  return new Database(await openDataSource(schema, url));
}

let dataSources = 0;

/**
 * Gives an app its {@link Database} by injection, and the data source from which
 * `TypeOrmModule.forFeature([...])` makes repositories. The schema is migrated before the app starts;
 * the connections are closed when it stops.
 */
@Global()
@Module({})
export class PersistenceModule {
  constructor(@Inject(Database) database: Database, @Inject(Registry) registry: Registry) {
    registerPoolGauges(registry, database.dataSource);
  }

  static forContext(schema: ContextSchema, url: string): DynamicModule {
    // Several apps may run in one process, and Nest warns of data sources of the same name.
    const name = `${schema.name} ${(dataSources += 1)}`;
    return {
      module: PersistenceModule,
      imports: [
        TypeOrmModule.forRootAsync({
          name,
          useFactory: () => ({
            ...dataSourceOptions(schema, url),
            // openDataSource itself waits for the server; other errors are permanent.
            toRetry: () => false,
          }),
          dataSourceFactory: () => openDataSource(schema, url),
        }),
      ],
      providers: [
        // What modules inject that name no data source, `TypeOrmModule.forFeature` above all.
        { provide: DataSource, useExisting: getDataSourceToken(name) },
        {
          provide: Database,
          inject: [DataSource],
          useFactory: (dataSource: ContextDataSource) => new Database(dataSource),
        },
      ],
      exports: [DataSource, Database],
    };
  }
}
