import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BusApp } from '#libs/bus';
import {
  managementUrls,
  brokerForTests,
  prometheusForTests,
  type StartedSystem,
  startDistributedSystem,
  startTcpProxy,
  type TcpProxy,
} from '#libs/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  alertPages,
  alertRules,
  alerts,
  dashboardVariables,
  shownPanels,
} from '../k8s/checks/alerts.ts';
import { ApiClient } from './client.ts';
import { crawlingOften } from './describe-system.ts';
import { type Condition, conditions, gatewayIsFull, hangDatabase } from './monitored-conditions.ts';
import { startOperator } from './operator.ts';
import { Prometheus } from './prometheus.ts';

const broker = await brokerForTests();
const installed = prometheusForTests();

/** What the pages of the alerts tell to ask. */
const questions = (form: RegExp) =>
  alertPages.flatMap(([, page]) => [...page.matchAll(form)].map(([, question = '']) => question));

/** How many rounds of scrapes are looked at while the system is well. */
const healthyRounds = 3;

describe('the monitoring of a distributed system', () => {
  if (!broker || !installed) {
    it('is left out where no RabbitMQ answers, or no Prometheus is installed', () => undefined);
    return;
  }
  let wayToBroker: TcpProxy;
  let system: StartedSystem;
  let database: pg.Client;
  let operator: BusApp;
  let prometheus: Prometheus;
  let targets: string[];

  beforeAll(async () => {
    wayToBroker = await startTcpProxy(broker);
    system = await startDistributedSystem(broker, {
      ...crawlingOften,
      MANAGEMENT_PORT: '0',
      CRAWLER_AMQP_URL: wayToBroker.url,
    });
    database = new pg.Client({ connectionString: system.databaseUrl! });
    await database.connect();
    operator = await startOperator(system, { managementPort: 0 });
    targets = [...(await managementUrls(system)).values(), operator.managementUrl!];
    // Each alert fires at once: its time is tried by its unit test.
    const atOnce = alertRules.groups.map(({ name, rules }) => ({
      name,
      rules: rules.map(({ for: _, ...rule }) => rule),
    }));
    // In Kubernetes the operator of Prometheus adds the namespace.
    prometheus = await Prometheus.start(targets, { namespace: 'registrar' }, { groups: atOnce });
  }, 120_000);
  afterAll(async () => {
    await prometheus?.dispose();
    await operator?.stop();
    await database?.end();
    await system?.dispose();
    await wayToBroker?.close();
  }, 60_000);

  it('calls nobody while all is well', async () => {
    const api = new ApiClient(system);
    const { course_guid } = system.quickstart;
    const course = { ...api.application, course_guid };
    let at = Date.now() / 1_000;
    for (let round = 0; round < healthyRounds;) {
      const learner = { ...course, learner_id: `${randomUUID()}@example.com` };
      expect((await api.post('/registration.json', learner)).status).toBe(201);
      expect((await api.get('/registration.json', course)).status).toBe(200);
      at = await prometheus.scrapedAfter(at);
      // On a machine that is too busy to answer in time, a round says nothing.
      if ((await prometheus.query('up == 1', at)).length < targets.length) continue;
      for (const { alert, expr } of alerts) {
        expect([alert, await prometheus.query(expr, at)]).toEqual([alert, []]);
      }
      round += 1;
    }
  }, 120_000);

  const called = async (alert: string, labels: Record<string, string>) => {
    const { annotations } = await prometheus.fires(alert, labels);
    // What is written out of labels that are not there, or of templates that fail.
    expect(Object.values(annotations).join('\n')).not.toMatch(/<no value>|<error/);
    for (const value of Object.values(labels)) expect(annotations['summary']).toContain(value);
  };

  const callsWhen = async ({ alert, cause }: Condition) => {
    const { labels, end } = await cause({ system, database, wayToBroker });
    try {
      await called(alert, labels);
    } finally {
      await end();
    }
  };

  it.each(conditions)('calls with $alert when $what', callsWhen, 120_000);

  describe('calls when a database hangs and more is asked than can wait:', () => {
    let end: () => Promise<void>;
    beforeAll(async () => {
      end = await hangDatabase({ system, database, operator });
    });
    afterAll(() => end(), 60_000);

    it.each([
      ['RegistrarDatabasePoolExhausted', { app: 'catalog' }],
      ['RegistrarOverloaded', { destination: 'catalog' }],
      ['RegistrarRequestsExpiring', { destination: 'catalog' }],
      ['RegistrarServerErrors', {}],
    ])('with %s', (alert, labels) => called(alert, labels), 120_000);
  });

  it.each([gatewayIsFull])('calls with $alert when $what', callsWhen, 120_000);

  // The last: what fails has its panels too.
  it.each(shownPanels)('shows $title', async ({ targets: shown }) => {
    for (const { expr } of shown) {
      expect([expr, await prometheus.query(filledIn(expr))]).not.toEqual([expr, []]);
    }
  });

  it.each([
    ...questions(/^ {4,}((?:sort_desc|sum|max|histogram_quantile|registrar_).+)$/gm),
    ...questions(/`((?:sum|rate|(?:registrar|process|nodejs)_)[^`]+)`/g),
  ])('answers what a page of an alert asks Prometheus: %s', async (expression) =>
    expect(await prometheus.query(expression)).not.toEqual([]),
  );

  it.each(questions(/^ {4,}(SELECT [^;]+);$/gm))(
    'answers what a page of an alert asks PostgreSQL: %s',
    async (statement) => expect((await database.query(statement)).command).toBe('SELECT'),
  );

  it('lets one choose what to look at', async () => {
    for (const { query } of dashboardVariables) {
      const [, metric, label] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
      if (!metric) expect(query).toBe('prometheus');
      else {
        expect(await prometheus.query(`count by (${label}) (${filledIn(metric)})`)).not.toEqual([]);
      }
    }
  });
});

/** An expression of the dashboard as Grafana sends it. */
const filledIn = (expression: string) =>
  expression
    .replaceAll('$namespace', 'registrar')
    .replaceAll('$app', '.*')
    .replaceAll('$__rate_interval', '2m');
