import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  DefaultNamingStrategy,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { ContextClient } from './context-client.ts';
import { ContextQueryRunner } from './context-query-runner.ts';

/** The most connections to the database that one replica of an app has. */
export const poolSize = 10;
const connectTimeoutMs = 10_000;

/**
 * For a process that hangs: the end of a transaction in which it does nothing, so that its locks are
 * released, and of a statement that it does not cancel. Both are longer than any request may take.
 */
const idleInTransactionTimeout = '40s';
export const statementTimeout = '5min';

/** A context's part of the database: a schema of its own, which no other context reads. */
export interface ContextSchema {
  /** The schema's name, the same as the context's. */
  readonly name: string;
  // oxlint-disable-next-line typescript/no-unsafe-function-type -- TypeORM's own type
  readonly entities: readonly Function[];
  /** In order; forward only; each class's name ends in its timestamp, as TypeORM requires. */
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** A transaction of `Database.transaction`, which every statement inside it joins. */
export interface CurrentTransaction {
  readonly runner: ContextQueryRunner;
  readonly afterCommit: (() => void)[];
}

/** Columns are named in snake case: `realmId` is stored in `realm_id`. */
class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string): string {
    return customName || propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/** Settings of PostgreSQL by their names; the values are SQL. */
type SessionSettings = Readonly<Record<string, string>>;

/**
 * Sets what holds for a whole connection. Commands do it, because connection poolers ignore or refuse the
 * startup parameter `options`.
 */
const configure = (client: ContextClient, settings: SessionSettings) =>
  client.query({
    text: Object.entries(settings)
      .map(([name, value]) => `SET ${name} = ${value}`)
      .join('; '),
    // A pooler accepts a connection before it has one to PostgreSQL.
    query_timeout: connectTimeoutMs,
  } as pg.QueryConfig);

/** @param settings of each connection, in place of the usual ones or beside them */
export function dataSourceOptions(
  schema: ContextSchema,
  url: string,
  settings: SessionSettings = {},
): DataSourceOptions {
  const sessionSettings = {
    search_path: `${schema.name}, pg_catalog, public`,
    idle_in_transaction_session_timeout: `'${idleInTransactionTimeout}'`,
    statement_timeout: `'${statementTimeout}'`,
    ...settings,
  };
  return {
    type: 'postgres',
    url,
    schema: schema.name,
    entities: [...schema.entities],
    migrations: [...schema.migrations],
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeCaseNames(),
    installExtensions: false,
    connectTimeoutMS: connectTimeoutMs,
    applicationName: `registrar ${schema.name}`,
    extra: {
      max: poolSize,
      Client: ContextClient,
      onConnect: (client: ContextClient) => configure(client, sessionSettings),
    },
  };
}

/**
 * The connections of a context. Repositories that are made from it join the current
 * `Database.transaction(...)`, and their statements end at the deadline like those of
 * {@link Database}.
 */
export class ContextDataSource extends DataSource {
  readonly transactions = new AsyncLocalStorage<CurrentTransaction>();

  /** The runner of the current transaction; outside of one, a new runner of the pool. */
  override createQueryRunner(): QueryRunner {
    return this.transactions.getStore()?.runner ?? this.createOwnRunner();
  }

  /** A runner with a connection of its own, inside a transaction too. */
  createOwnRunner(): ContextQueryRunner {
    const runner = new ContextQueryRunner(this.driver);
    return Object.assign(runner, { manager: this.createEntityManager(runner) });
  }
}
