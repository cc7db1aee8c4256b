import { afterAll, beforeAll, expect, it } from 'vitest';
import { alerts, shownPanels } from '@registrar/k8s';
import { DedicatedPostgres } from '@registrar/persistence/testing';
import {
  both,
  DedicatedBroker,
  eventually,
  findBrokerInstallation,
  findPrometheus,
  Prometheus,
} from '@registrar/testing';
import { connect } from 'amqplib';
import { describeWith } from '@registrar/testing/suites';
import pg from 'pg';
import { withVariables } from './dashboard-variables.ts';
import { DatabaseExporter } from './database-exporter.ts';
import { rulesAtOnce } from './rules-at-once.ts';
import { ofStores, storeQueries } from './runbook-queries.ts';

const storeAlerts = alerts.filter(({ expr }) => ofStores.test(expr));
const panels = shownPanels.filter(({ targets }) => targets.some(({ expr }) => ofStores.test(expr)));

/** Queries that find what is missing. */
const faultQueries = storeQueries.filter((each) => each.includes(' unless '));
const healthyQueries = storeQueries.filter((each) => !faultQueries.includes(each));

const namespace = 'registrar';
const ofNode = { pod: 'rabbitmq-server-0' };
const maxConnections = 20;

// The metrics are RabbitMQ's own. CloudNativePG's exporter is not a package of Debian or npm: its statements run on a
// real server, and its names are from its default queries.
describeWith(both(findBrokerInstallation(), findPrometheus()), 'the alerts of the stores', () => {
  let broker: DedicatedBroker;
  let primary: DedicatedPostgres;
  let standby: DedicatedPostgres;
  let exporters: DatabaseExporter[];
  let prometheus: Prometheus;

  beforeAll(async () => {
    [broker, primary] = await Promise.all([
      DedicatedBroker.start({ metrics: true }),
      DedicatedPostgres.start({
        max_connections: String(maxConnections),
        archive_mode: 'on',
      }),
    ]);
    standby = await primary.startStandby({ max_connections: String(maxConnections) });
    await declareQueue(broker.url);
    exporters = await Promise.all([primary, standby].map(({ url }) => DatabaseExporter.start(url)));
    const ready = { record: 'registrar_ready', expr: 'vector(1)', labels: { namespace } };
    const installed = { name: 'installed', rules: [ready] };
    prometheus = await Prometheus.start(
      [
        { url: broker.metricsUrl!, labels: ofNode },
        {
          url: `${broker.metricsUrl}/detailed?family=queue_coarse_metrics`,
          labels: { ...ofNode, endpoint: 'queues' },
        },
        ...exporters.map(({ url }, place) => ({ url, labels: { pod: `database-${place + 1}` } })),
      ],
      { namespace },
      { groups: [installed, ...rulesAtOnce] },
    );
    await prometheus.waitForScrape(Date.now() / 1_000);
  });
  afterAll(async () => {
    await prometheus?.dispose();
    await Promise.all(exporters?.map((each) => each.dispose()) ?? []);
    await broker?.dispose();
    await standby?.dispose();
    await primary?.dispose();
  });

  it('no alert fires while the stores are healthy', async () => {
    const scrapedAt = await prometheus.waitForScrape(Date.now() / 1_000);
    const at = await prometheus.waitForScrape(scrapedAt);
    for (const { alert, expr } of storeAlerts) {
      expect([alert, await prometheus.query(expr, at)]).toEqual([alert, []]);
    }
  });

  it.each(healthyQueries)('Prometheus returns data for the runbook query %s', async (query) =>
    expect(await prometheus.query(query)).not.toEqual([]),
  );

  it.each(panels)('the dashboard panel $title has data', async ({ targets }) => {
    for (const { expr } of targets) {
      expect([expr, await prometheus.query(withVariables(expr))]).not.toEqual([expr, []]);
    }
  });

  const expectAlert = async (alert: string, labels: Record<string, string>) => {
    const { annotations } = await prometheus.waitForAlert(alert, { namespace, ...labels });
    expect(Object.values(annotations).join('\n')).not.toMatch(/<no value>|<error/);
    for (const value of Object.values(labels)) expect(annotations['summary']).toContain(value);
  };

  it('RegistrarBrokerAlarm fires when a node lacks memory', async () => {
    await broker.raiseMemoryAlarm();
    await expectAlert('RegistrarBrokerAlarm', { pod: 'rabbitmq-server-0', resource: 'memory' });
    await broker.endMemoryAlarm();
  });

  it('RegistrarBrokerAlarm fires when a node lacks disk space', async () => {
    await broker.raiseDiskAlarm();
    await expectAlert('RegistrarBrokerAlarm', { pod: 'rabbitmq-server-0', resource: 'disk' });
    await broker.endDiskAlarm();
  });

  it('RegistrarWalArchivingFailed fires until segments can be archived', async () => {
    const archiveWith = async (command: string) => {
      await query(primary, `ALTER SYSTEM SET archive_command = '${command}'`);
      await query(primary, 'SELECT pg_reload_conf()');
    };
    await archiveWith('false');
    await query(primary, 'CREATE TABLE written AS SELECT 1');
    await query(primary, 'SELECT pg_switch_wal()');
    await expectAlert('RegistrarWalArchivingFailed', { pod: 'database-1' });
    await archiveWith('true');
    const { expr } = alerts.find(({ alert }) => alert === 'RegistrarWalArchivingFailed')!;
    await eventually(
      'the alert has ended',
      async () => (await prometheus.query(expr)).length === 0,
      {
        intervalMs: 100,
      },
    );
  });

  it('RegistrarDatabaseConnectionsScarce fires when most connections are used', async () => {
    const clients = Array.from(
      { length: 0.8 * maxConnections },
      () => new pg.Client({ connectionString: primary.url }),
    );
    await Promise.all(clients.map((client) => client.connect()));
    await expectAlert('RegistrarDatabaseConnectionsScarce', { pod: 'database-1' });
    await Promise.all(clients.map((client) => client.end()));
  });

  it('the alerts about lost nodes fire when the only node of RabbitMQ is killed', async () => {
    await broker.killNode();
    await expectAlert('RegistrarBrokerNodeDown', { pod: 'rabbitmq-server-0' });
    await expectAlert('RegistrarBrokerQuorumLost', {});
    await expectAlert('RegistrarStoreUnwatched', { store: 'RabbitMQ' });
    for (const each of faultQueries) expect(await prometheus.query(each)).not.toEqual([]);
  });

  it('the alerts about lost instances fire when the primary crashes', async () => {
    await primary.crash();
    await expectAlert('RegistrarDatabaseInstanceDown', {});
    await expectAlert('RegistrarDatabaseReplicaLagging', { pod: 'database-2' });
  });
});

async function query({ url }: DedicatedPostgres, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Declares a queue, so that there are metrics of queues. */
async function declareQueue(url: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue('registrar.events.catalog', {
    arguments: { 'x-queue-type': 'quorum' },
  });
  await connection.close();
}
