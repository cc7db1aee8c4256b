import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * Statements whose columns are metrics, as CloudNativePG's exporter has them: a column of text is a label, each
 * other one a metric, whose name has the name of the statement as its prefix
 * (https://cloudnative-pg.io/documentation/current/monitoring/#default-set-of-metrics).
 */
const statements: Readonly<Record<string, string>> = {
  collector: `SELECT 1 AS up, extract(epoch FROM now()) AS last_available_backup_timestamp,
      0 AS last_failed_backup_timestamp`,
  backends: `SELECT datname::text, usename::text, application_name, state, count(*) AS total
    FROM pg_stat_activity WHERE state IS NOT NULL GROUP BY 1, 2, 3, 4`,
  pg_database: `SELECT datname::text, pg_database_size(oid) AS size_bytes,
      age(datfrozenxid) AS xid_age, mxid_age(datminmxid) AS mxid_age
    FROM pg_database WHERE datallowconn`,
  pg_replication: `SELECT
      CASE WHEN NOT pg_is_in_recovery() OR pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
        ELSE greatest(0, extract(epoch FROM now() - pg_last_xact_replay_timestamp())) END AS lag,
      pg_is_in_recovery()::int AS in_recovery,
      (EXISTS (SELECT FROM pg_stat_wal_receiver))::int AS is_wal_receiver_up,
      (SELECT count(*) FROM pg_stat_replication) AS streaming_replicas`,
  pg_stat_archiver: `SELECT archived_count, failed_count,
      coalesce(extract(epoch FROM last_archived_time), -1) AS last_archived_time,
      coalesce(extract(epoch FROM last_failed_time), -1) AS last_failed_time
    FROM pg_stat_archiver WHERE NOT pg_is_in_recovery()`,
  pg_settings: `SELECT name, setting::float8 FROM pg_settings WHERE vartype = 'integer'`,
};

/** Serves the metrics of a PostgreSQL server as CloudNativePG's exporter does, for the alerts and panels about it. */
export class DatabaseExporter {
  private constructor(
    readonly url: string,
    private readonly client: pg.Client,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  /** @param databaseUrl a superuser's */
  static async start(databaseUrl: string): Promise<DatabaseExporter> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'cnpg_metrics_exporter',
    });
    client.on('error', () => undefined);
    await client.connect();
    const server = createServer((_, response) => {
      metricsOf(client).then(
        (text) => response.end(text),
        () => response.writeHead(500).end(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new DatabaseExporter(`http://127.0.0.1:${port}/metrics`, client, server);
  }

  async dispose(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.client.end();
  }
}

async function metricsOf(client: pg.Client): Promise<string> {
  let text = '';
  for (const [prefix, statement] of Object.entries(statements)) {
    const { rows, fields } = await client.query<Record<string, string | number | null>>(statement);
    const isLabel = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID === textType]));
    for (const row of rows) {
      const entries = Object.entries(row);
      const labels = entries
        .filter(([name]) => isLabel.get(name))
        .map(([name, value]) => `${name}=${JSON.stringify(value ?? '')}`);
      for (const [name, value] of entries.filter(([each]) => !isLabel.get(each))) {
        text += `cnpg_${prefix}_${name}{${labels.join()}} ${value}\n`;
      }
    }
  }
  return text;
}

/** The type id of `text` (PostgreSQL's catalog pg_type). */
const textType: number = pg.types.builtins.TEXT;
