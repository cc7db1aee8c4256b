import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartedApp } from '@registrar/bootstrap';
import { type StartedSystem, startDistributedSystem } from '@registrar/standalone/testing';
import {
  both,
  findBroker,
  findPrometheus,
  highRequestLimits,
  managementUrls,
  startTcpProxy,
  type TcpProxy,
  testPostgresVariable,
  Prometheus,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { alerts, dashboardVariables, shownPanels } from '@registrar/k8s';
import { ApiClient } from './client.ts';
import { withVariables } from './dashboard-variables.ts';
import { frequentCrawls } from './describe-system.ts';
import {
  type AlertCondition,
  conditions,
  gatewayOverload,
  lockCourses,
} from './alert-conditions.ts';
import { startOperator } from './operator.ts';
import { rulesAtOnce } from './rules-at-once.ts';
import { appQueries, documentedStatements, isOfApps } from './runbook-queries.ts';

const services = both(await findBroker(), findPrometheus());

const panels = shownPanels.filter(({ targets }) => targets.every(({ expr }) => isOfApps(expr)));

/** The number of scrapes for which a healthy system is observed. */
const healthyScrapes = 3;

describeWith(services, 'the monitoring of a distributed system', ([broker]) => {
  let brokerProxy: TcpProxy;
  let system: StartedSystem;
  let database: pg.Client;
  let operator: StartedApp;
  let prometheus: Prometheus;
  let targets: string[];

  beforeAll(async () => {
    brokerProxy = await startTcpProxy(broker);
    system = await startDistributedSystem(broker, {
      ...frequentCrawls,
      ...highRequestLimits,
      // One client overloads the gateway, and another one guesses.
      MAX_CONNECTIONS_PER_ADDRESS: '2000',
      UNDELAYED_FAILURES_PER_ADDRESS: '20',
      MANAGEMENT_PORT: '0',
      CRAWLER_AMQP_URL: brokerProxy.url,
      // No standby: see RegistrarReportsOnPrimary.
      REPORTS_DATABASE_URL: process.env[testPostgresVariable]!,
    });
    database = new pg.Client({ connectionString: system.databaseUrl! });
    await database.connect();
    operator = await startOperator(system, { managementPort: 0 });
    targets = [...(await managementUrls(system)).values(), operator.managementUrl!];
    // In Kubernetes the Prometheus operator adds the namespace.
    prometheus = await Prometheus.start(
      targets,
      { namespace: 'registrar' },
      { groups: rulesAtOnce },
    );
  });
  afterAll(async () => {
    await prometheus?.dispose();
    await operator?.stop();
    await database?.end();
    await system?.dispose();
    await brokerProxy?.close();
  });

  it('no alert fires while the system is healthy', async () => {
    const api = new ApiClient(system);
    const { course_guid } = system.quickstart;
    const course = { ...api.application, course_guid };
    let at = Date.now() / 1_000;
    for (let round = 0; round < healthyScrapes;) {
      const learner = { ...course, learner_id: `${randomUUID()}@example.com` };
      expect((await api.post('/registration.json', learner)).status).toBe(201);
      expect((await api.get('/registration.json', learner)).status).toBe(200);
      at = await prometheus.waitForScrape(at);
      // A round in which a busy machine missed a scrape does not count.
      if ((await prometheus.query('up == 1', at)).length < targets.length) continue;
      for (const { alert, expr } of alerts.filter((each) => isOfApps(each.expr))) {
        expect([alert, await prometheus.query(expr, at)]).toEqual([alert, []]);
      }
      round += 1;
    }
  });

  const expectAlert = async (alert: string, labels: Record<string, string>) => {
    const { annotations } = await prometheus.waitForAlert(alert, labels);
    // The output of a template that uses a missing label or fails.
    expect(Object.values(annotations).join('\n')).not.toMatch(/<no value>|<error/);
    for (const value of Object.values(labels)) expect(annotations['summary']).toContain(value);
  };

  const expectAlertWhile = async ({ alert, cause }: AlertCondition) => {
    const { labels, end } = await cause({ system, database, brokerProxy: brokerProxy });
    try {
      await expectAlert(alert, labels);
    } finally {
      await end();
    }
  };

  it.each(conditions)('$alert fires when $description', expectAlertWhile);

  describe('while a database hangs and requests exceed the queues', () => {
    let end: () => Promise<void>;
    beforeAll(async () => {
      end = await lockCourses({ system, database, operator });
    });
    afterAll(() => end());

    it.each([
      ['RegistrarDatabasePoolExhausted', { app: 'catalog' }],
      ['RegistrarOverloaded', { destination: 'catalog' }],
      ['RegistrarRequestsExpiring', { destination: 'catalog' }],
      ['RegistrarErrorBudgetBurningFast', { slo: 'availability', class: 'read' }],
      ['RegistrarErrorBudgetBurningSlowly', { slo: 'availability', class: 'read' }],
    ])('%s fires', (alert, labels) => expectAlert(alert, labels));
  });

  it.each([gatewayOverload])('$alert fires when $description', expectAlertWhile);

  // Last, because panels about failures need the failures above.
  it.each(panels)('the dashboard panel $title has data', async ({ targets: shown }) => {
    for (const { expr } of shown) {
      expect([expr, await prometheus.query(withVariables(expr))]).not.toEqual([expr, []]);
    }
  });

  it.each(appQueries)('Prometheus returns data for the runbook query %s', async (query) =>
    expect(await prometheus.query(query)).not.toEqual([]),
  );

  it.each(documentedStatements)('PostgreSQL executes the runbook statement %s', async (statement) =>
    expect((await database.query(statement)).command).toBe('SELECT'),
  );

  it('the dashboard variables have values', async () => {
    for (const { query } of dashboardVariables) {
      const [, metric, label] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
      if (!metric) expect(query).toBe('prometheus');
      else {
        expect(
          await prometheus.query(`count by (${label}) (${withVariables(metric)})`),
        ).not.toEqual([]);
      }
    }
  });
});
