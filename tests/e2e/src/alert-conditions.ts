import type { StartedApp } from '@registrar/bootstrap';
import { BusClient, Topology } from '@registrar/bus';
import { createProviderApplication, parkedEventRequests } from '@registrar/contracts';
import { runInRequestContext } from '@registrar/platform';
import { type RunningSystem } from '@registrar/standalone/testing';
import { eventually, SimulatedProvider, type TcpProxy, testBrokerUrl } from '@registrar/testing';
import { connect } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { ApiClient } from './client.ts';
import { asOperator } from './operator.ts';

/** The system in which a condition is caused. */
interface ConditionContext {
  readonly system: RunningSystem;
  readonly database: pg.Client;
  /** The crawler's connection to the broker. */
  readonly brokerProxy: TcpProxy;
}

/** A failure for which an alert must fire. */
export interface AlertCondition {
  readonly alert: string;
  readonly description: string;
  /** Causes the condition; returns the labels of the alert and a function that ends the condition. */
  readonly cause: (world: ConditionContext) => Promise<{
    readonly labels: Record<string, string>;
    readonly end: () => Promise<unknown>;
  }>;
}

export const conditions: readonly AlertCondition[] = [
  {
    alert: 'RegistrarEventsParked',
    description: 'an app receives a message that is no event',
    async cause({ system, database }) {
      const connection = await connect(testBrokerUrl);
      const channel = await connection.createConfirmChannel();
      const queue = new Topology(system.namespace!).eventQueue('enrolment');
      const { username: userId } = new URL(testBrokerUrl);
      channel.sendToQueue(queue, Buffer.from('noise'), { userId, appId: 'catalog' });
      await channel.waitForConfirms();
      await connection.close();
      return {
        labels: { app: 'enrolment' },
        end: () => database.query('DELETE FROM enrolment.parked_events'),
      };
    },
  },
  {
    alert: 'RegistrarMessagesRejected',
    description: 'an app receives a message without an account',
    async cause({ system }) {
      const connection = await connect(testBrokerUrl);
      const channel = await connection.createConfirmChannel();
      channel.sendToQueue(
        new Topology(system.namespace!).eventQueue('enrolment'),
        Buffer.from('[]'),
      );
      await channel.waitForConfirms();
      return { labels: { app: 'enrolment', reason: 'anonymous' }, end: () => connection.close() };
    },
  },
  {
    alert: 'RegistrarAccessGuessing',
    description: 'a client sends many different wrong API keys',
    async cause({ system }) {
      const api = new ApiClient(system);
      const guesses = Array.from({ length: 60 }, () =>
        api.get('/course.json', { api_key: randomUUID() }),
      );
      return { labels: { app: 'gateway' }, end: () => Promise.all(guesses) };
    },
  },
  {
    alert: 'RegistrarReportsOnPrimary',
    description: 'the server for reports is no standby of the database',
    async cause({ system }) {
      const api = new ApiClient(system);
      await api.get('/registration.json', api.application);
      return { labels: { cause: 'mismatch' }, end: async () => undefined };
    },
  },
  {
    alert: 'RegistrarEventsDelayed',
    description: 'an app with an unpublished event has lost its connection to the broker',
    async cause({ database, brokerProxy }) {
      brokerProxy.cut();
      await database.query(
        `INSERT INTO crawler.outbox (name, payload, subscribers, request_id, created_at)
         VALUES ('crawler.registrations-swept', $1, '{enrolment}', 'suite',
                 now() - interval '2 min')`,
        [{ applicationId: 1, sequence: 0, startedAt: new Date(0).toISOString() }],
      );
      return { labels: { app: 'crawler' }, end: async () => brokerProxy.restore() };
    },
  },
  {
    alert: 'RegistrarCrawlsLate',
    description: 'a crawl is overdue',
    async cause({ database }) {
      const serveAfter = (time: string) =>
        database.query(`UPDATE crawler.applications SET serve_after = ${time}`);
      await serveAfter(`now() + interval '1 h'`);
      const isCrawled = `SELECT FROM crawler.applications WHERE lease_until > clock_timestamp()`;
      await eventually(
        'no crawl holds a lease',
        async () => (await database.query(isCrawled)).rowCount === 0,
        { intervalMs: 50 },
      );
      await database.query(
        `UPDATE crawler.due_crawls SET due_at = now() - interval '11 min' WHERE kind = 'courses'`,
      );
      return { labels: { kind: 'courses' }, end: () => serveAfter(`'-infinity'`) };
    },
  },
  {
    alert: 'RegistrarCrawlsFailing',
    description: 'a course provider fails',
    async cause({ system }) {
      const provider = await SimulatedProvider.start();
      provider.intercept = () => ({ status: 500, body: {} });
      const { applicationId } = await asOperator(system, (bus) =>
        bus.request(createProviderApplication, {
          realmGuid: system.quickstart.realm_guid,
          name: 'Failing',
          baseUrl: provider.url,
          appId: 'failing',
          secretKey: 'secret-of-the-failing',
        }),
      );
      return { labels: { application: String(applicationId) }, end: () => provider.stop() };
    },
  },
  {
    alert: 'RegistrarAppDown',
    description: 'the only replica of an app is stopped (SIGSTOP)',
    async cause({ system }) {
      const pid = system
        .processes()
        .find((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes('/apps/provider/'))!;
      process.kill(pid, 'SIGSTOP');
      return { labels: { app: 'provider' }, end: async () => process.kill(pid, 'SIGCONT') };
    },
  },
];

/** Overloads the gateway. Runs last, because other conditions also make the gateway return 503. */
export const gatewayOverload: AlertCondition = {
  alert: 'RegistrarGatewayOverloaded',
  description: 'requests hold all its slots while they wait for a database',
  async cause({ system, database }) {
    await database.query('BEGIN');
    // Requests whose access is not known yet belong to no realm, whose share would bound them.
    await database.query('LOCK TABLE identity.provider_applications IN ACCESS EXCLUSIVE MODE');
    const asking = requestRepeatedly(system, 20);
    const end = async () => {
      await database.query('ROLLBACK');
      await asking.end();
    };
    return { labels: { kind: 'request' }, end };
  },
};

/** Requests a list every `intervalMs` without waiting for responses. */
function requestRepeatedly(
  system: RunningSystem,
  intervalMs: number,
): { end: () => Promise<unknown> } {
  const api = new ApiClient(system);
  const answers: Promise<unknown>[] = [];
  const timer = setInterval(
    () => answers.push(api.get('/course.json', api.application)),
    intervalMs,
  );
  const end = () => {
    clearInterval(timer);
    return Promise.all(answers);
  };
  return { end };
}

/** More requests than a context processes and queues. */
const concurrentRequests = 2_500;
const requestTimeoutMs = 4_000;

/**
 * Locks the catalog's table of courses while many requests need it.
 *
 * @returns a function that releases the lock
 */
export async function lockCourses({
  system,
  database,
  operator,
}: {
  system: RunningSystem;
  database: pg.Client;
  operator: StartedApp;
}): Promise<() => Promise<void>> {
  await database.query('BEGIN');
  await database.query(
    'LOCK TABLE catalog.courses, catalog.parked_events IN ACCESS EXCLUSIVE MODE',
  );
  let ended = false;
  const bus = operator.get(BusClient);
  const list = () =>
    runInRequestContext(
      { requestId: randomUUID(), deadline: Date.now() + requestTimeoutMs },
      async () => {
        for await (const _page of bus.pages(parkedEventRequests.catalog.list, {})) break;
      },
    );
  const sendRequests = async () => {
    while (!ended) await Promise.allSettled(Array.from({ length: concurrentRequests }, list));
  };
  const sending = sendRequests();
  const asking = requestRepeatedly(system, 200);
  return async () => {
    ended = true;
    await database.query('ROLLBACK');
    await sending;
    await asking.end();
  };
}
