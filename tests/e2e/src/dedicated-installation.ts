import { DedicatedPostgres } from '@registrar/persistence/testing';
import { type StartedSystem, startDistributedSystem } from '@registrar/standalone/testing';
import { CertificateAuthority, DedicatedBroker } from '@registrar/testing';
import { join } from 'node:path';
import pg from 'pg';

/** A distributed system with the names of the documentation, on stores of its own. */
export interface DedicatedInstallation {
  readonly broker: DedicatedBroker;
  readonly postgres: DedicatedPostgres;
  /** The issuer of the stores' certificates, `broker` and `postgres`. */
  readonly authority: CertificateAuthority;
  readonly databaseUrl: string;
  readonly system: StartedSystem;
  /** The settings of the command line, for everything that it can check. */
  readonly settings: Record<string, string>;
  /** Runs statements as the database's superuser. */
  readonly sql: (statements: string) => Promise<pg.QueryResult>;
  dispose(): Promise<void>;
}

/**
 * Starts a PostgreSQL, whose database is `registrar`, a RabbitMQ with its management API, and every app. The
 * apps and the command line reach both stores over TLS, and verify them.
 */
export async function startDedicatedInstallation(
  more: Record<string, string>,
): Promise<DedicatedInstallation> {
  const authority = await CertificateAuthority.create();
  const [broker, postgres] = await Promise.all([
    authority
      .issue('broker')
      .then((certificate) => DedicatedBroker.start({ management: true, certificate })),
    Promise.all([DedicatedPostgres.start(), authority.issue('postgres')]).then(
      async ([server, certificate]) => {
        await server.presentCertificate(certificate);
        return server;
      },
    ),
  ]);
  const { file } = authority;
  const databaseUrl = encrypted(postgres.url, {}, { sslmode: 'verify-full', sslrootcert: file });
  const { amqp, management } = broker.tlsPorts!;
  const brokerUrl = encrypted(
    broker.url,
    { protocol: 'amqps:', port: String(amqp) },
    { cacertfile: file },
  );
  const system = await startDistributedSystem(broker.url, {
    ...more,
    AMQP_URL: brokerUrl,
    DATABASE_URL: databaseUrl,
    BUS_NAMESPACE: 'registrar',
  });
  return {
    broker,
    postgres,
    authority,
    databaseUrl,
    system,
    settings: {
      AMQP_URL: brokerUrl,
      AMQP_MANAGEMENT_URL: encrypted(broker.managementUrl!, {
        protocol: 'https:',
        port: String(management),
      }),
      DATABASE_URL: databaseUrl,
      MASTER_KEY_FILE: join(system.dataDirectory, 'master.key'),
      DATA_DIR: system.dataDirectory,
      BUS_ACCOUNTS: 'shared',
      PORT: new URL(system.quickstart.base_url).port,
      PROVIDER_PORT: new URL(system.providerUrl).port,
    },
    sql: (statements) => query(postgres.url, statements),
    dispose: async () => {
      await system.dispose();
      await broker.dispose();
      await postgres.dispose();
      await authority.dispose();
    },
  };
}

/** Returns the address of the same store for TLS, under the host name of its certificate. */
function encrypted(
  address: string,
  place: { protocol?: string; port?: string },
  parameters: Record<string, string> = {},
): string {
  const url = Object.assign(new URL(address), { hostname: 'localhost', ...place });
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
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
