import { type BusApp, BusClient, Topology } from '#libs/bus';
import { createProviderApplication, findCourse } from '#libs/contracts';
import { runOperation } from '#libs/platform';
import { type RunningSystem, SimulatedProvider, type TcpProxy, testBrokerUrl } from '#libs/testing';
import { connect } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ApiClient } from './client.ts';
import { asOperator } from './operator.ts';

/** What a condition is caused in. */
interface World {
  readonly system: RunningSystem;
  readonly database: pg.Client;
  /** The crawler's. */
  readonly wayToBroker: TcpProxy;
}

/** Something that is wrong, for which somebody is called. */
export interface Condition {
  readonly alert: string;
  readonly what: string;
  /** Answers what the alert then names, and how to end it. */
  readonly cause: (world: World) => Promise<{
    readonly labels: Record<string, string>;
    readonly end: () => Promise<unknown>;
  }>;
}

export const conditions: readonly Condition[] = [
  {
    alert: 'RegistrarEventsParked',
    what: 'an app is sent what is no event',
    async cause({ system, database }) {
      const connection = await connect(testBrokerUrl);
      const channel = await connection.createConfirmChannel();
      const queue = new Topology(system.namespace!).eventQueue('enrolment');
      channel.sendToQueue(queue, Buffer.from('noise'));
      await channel.waitForConfirms();
      await connection.close();
      return {
        labels: { app: 'enrolment' },
        end: () => database.query('DELETE FROM enrolment.parked_events'),
      };
    },
  },
  {
    alert: 'RegistrarEventsDelayed',
    what: 'an app has been cut off from the broker with an event in hand',
    async cause({ database, wayToBroker }) {
      wayToBroker.cut();
      await database.query(
        `INSERT INTO crawler.outbox (name, payload, subscribers, request_id, created_at)
         VALUES ('crawler.registrations-swept', $1, '{enrolment}', 'suite',
                 now() - interval '2 min')`,
        [{ applicationId: 1, sequence: 0, startedAt: new Date(0).toISOString() }],
      );
      return { labels: { app: 'crawler' }, end: async () => wayToBroker.restore() };
    },
  },
  {
    alert: 'RegistrarCrawlsLate',
    what: 'a crawl has been held back since long ago',
    async cause({ database }) {
      const serveAfter = (time: string) =>
        database.query(`UPDATE crawler.applications SET serve_after = ${time}`);
      await serveAfter(`now() + interval '1 h'`);
      const isCrawled = `SELECT FROM crawler.applications WHERE lease_until > clock_timestamp()`;
      while ((await database.query(isCrawled)).rowCount !== 0) await pause(50);
      await database.query(
        `UPDATE crawler.due_crawls SET due_at = now() - interval '11 min' WHERE kind = 'courses'`,
      );
      return { labels: { kind: 'courses' }, end: () => serveAfter(`'-infinity'`) };
    },
  },
  {
    alert: 'RegistrarCrawlsFailing',
    what: 'a course provider fails',
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
    what: 'the only replica of an app stands still',
    async cause({ system }) {
      const pid = system
        .processes()
        .find((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes('/apps/provider/'))!;
      process.kill(pid, 'SIGSTOP');
      return { labels: { app: 'provider' }, end: async () => process.kill(pid, 'SIGCONT') };
    },
  },
];

/** As many lists and uploads as one gateway has in hand at a time. */
const longPlaces = 64;

/** What makes the gateway answer 503 by itself, as others make it too: for the end. */
export const gatewayIsFull: Condition = {
  alert: 'RegistrarGatewayOverloaded',
  what: 'clients hold all its places for uploads and lists',
  async cause({ system }) {
    const clients = new AbortController();
    for (let place = 0; place < longPlaces; place += 1) {
      const upload = request(`${system.quickstart.base_url}/course.json`, {
        method: 'POST',
        agent: false,
        signal: clients.signal,
        headers: { 'content-type': 'multipart/form-data; boundary=part', 'content-length': '99' },
      });
      upload.once('error', () => undefined);
      upload.flushHeaders();
    }
    const asking = askOn(system, 20);
    const end = async () => {
      clients.abort();
      await asking.end();
    };
    return { labels: { kind: 'long' }, end };
  },
};

/** A client that asks for a list every `interval` milliseconds, answered or not. */
function askOn(system: RunningSystem, interval: number): { end: () => Promise<unknown> } {
  const api = new ApiClient(system);
  const answers: Promise<unknown>[] = [];
  const timer = setInterval(() => answers.push(api.get('/course.json', api.application)), interval);
  const end = () => {
    clearInterval(timer);
    return Promise.all(answers);
  };
  return { end };
}

/** More than a context works on and lets wait, and how long each wants to wait: milliseconds. */
const flood = 2_500;
const patience = 4_000;

/**
 * Lets nobody read the catalog's courses, while many want to and clients ask on.
 *
 * @returns ends it
 */
export async function hangDatabase({
  system,
  database,
  operator,
}: {
  system: RunningSystem;
  database: pg.Client;
  operator: BusApp;
}): Promise<() => Promise<void>> {
  await database.query('BEGIN');
  await database.query('LOCK TABLE catalog.courses IN ACCESS EXCLUSIVE MODE');
  let ended = false;
  const bus = operator.get(BusClient);
  const find = () =>
    runOperation({ requestId: randomUUID(), deadline: Date.now() + patience }, () =>
      bus.request(findCourse, { applicationIds: [1], courseGuid: 'swimming' }),
    );
  const pour = async () => {
    while (!ended) await Promise.allSettled(Array.from({ length: flood }, find));
  };
  const pouring = pour();
  const asking = askOn(system, 200);
  return async () => {
    ended = true;
    await database.query('ROLLBACK');
    await pouring;
    await asking.end();
  };
}
