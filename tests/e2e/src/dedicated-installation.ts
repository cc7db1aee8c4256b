import { busKeyFileSettings } from '@registrar/bus';
import { DedicatedPostgres } from '@registrar/persistence/testing';
import { type StartedSystem, startDistributedSystem } from '@registrar/standalone/testing';
import { DedicatedBroker } from '@registrar/testing';
import { join } from 'node:path';
import pg from 'pg';

/** A distributed system with the names of the documentation, on stores of its own. */
export interface DedicatedInstallation {
  readonly broker: DedicatedBroker;
  readonly databaseUrl: string;
  readonly system: StartedSystem;
  /** The settings of the command line, for everything that it can check. */
  readonly settings: Record<string, string>;
  /** Runs statements as the database's superuser. */
  readonly sql: (statements: string) => Promise<pg.QueryResult>;
  dispose(): Promise<void>;
}

/** Starts a PostgreSQL, whose database is `registrar`, a RabbitMQ with its management API, and every app. */
export async function startDedicatedInstallation(
  more: Record<string, string>,
): Promise<DedicatedInstallation> {
  const [broker, postgres] = await Promise.all([
    DedicatedBroker.start({ management: true }),
    DedicatedPostgres.start(),
  ]);
  const system = await startDistributedSystem(broker.url, {
    ...more,
    DATABASE_URL: postgres.url,
    BUS_NAMESPACE: 'registrar',
  });
  return {
    broker,
    databaseUrl: postgres.url,
    system,
    settings: {
      AMQP_URL: broker.url,
      AMQP_MANAGEMENT_URL: broker.managementUrl ?? '',
      DATABASE_URL: postgres.url,
      MASTER_KEY_FILE: join(system.dataDirectory, 'master.key'),
      DATA_DIR: system.dataDirectory,
      ...busKeyFileSettings(join(system.dataDirectory, 'bus-keys'), 'operator'),
      PORT: new URL(system.quickstart.base_url).port,
      PROVIDER_PORT: new URL(system.providerUrl).port,
    },
    sql: (statements) => query(postgres.url, statements),
    dispose: async () => {
      await system.dispose();
      await broker.dispose();
      await postgres.dispose();
    },
  };
}

async function query(url: string, statements: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statements);
  } finally {
    await client.end();
  }
}
