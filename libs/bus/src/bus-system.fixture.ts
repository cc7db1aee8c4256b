import { type ContextSchema, Database, PersistenceModule, sql } from '@registrar/persistence';
import { currentRequestContext, runWithin } from '@registrar/platform';
import { type Failure } from '@registrar/contracts';
import { createTestDatabase, testLogger } from '@registrar/testing';
import { Module, type Type } from '@nestjs/common';
import { once } from 'node:events';
import * as z from 'zod';
import {
  catalogHandlers,
  happened,
  listenerHandlers,
  TestProbe,
  subscriberHandlers,
} from './bus-apps.fixture.ts';
import { changeHandlers, type PlannedFailures } from './change-apps.fixture.ts';
import { BusClient } from './bus-client.ts';
import { busMigrations } from './migrations.ts';
import { Outbox } from './outbox.ts';
import { startBusApp, type TestBusApp } from './testing/start-bus-app.ts';
import type { BusTransport } from './transport.ts';

class Effects1700000000001 {
  name = 'Effects1700000000001';
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query('CREATE TABLE effects (id serial PRIMARY KEY, what text NOT NULL)');
  }
  async down(): Promise<void> {
    throw new Error('forward only');
  }
}

const effectRow = z.object({ id: z.number() });

export type BusSystem = Awaited<ReturnType<typeof startBusSystem>>;

/**
 * Starts the apps of the bus's suites on `transport`: `catalog` handles requests and publishes events,
 * `enrolment` and `identity` handle its events, `gateway` sends requests and receives broadcasts, and
 * `operator` sends requests.
 */
export async function startBusSystem(transport: BusTransport) {
  const server = await createTestDatabase();
  const log = testLogger('bus');
  const probe = new TestProbe();
  const failures: PlannedFailures = new Map();
  const apps = new Set<TestBusApp>();

  const start = async (
    name: string,
    controllers: Type[],
    on: { databaseUrl?: string | null; transport?: BusTransport } = {},
  ) => {
    const { databaseUrl = server.url } = on;
    const migrations = [...busMigrations, Effects1700000000001];
    const schema: ContextSchema = { name, entities: [], migrations };
    const imports = databaseUrl ? [PersistenceModule.forContext(schema, databaseUrl)] : [];
    const module = class {};
    Module({ imports, controllers })(module);
    const { logger } = log;
    const app = await startBusApp({ name, module, transport, logger, ...on });
    apps.add(app);
    return app;
  };
  const stop = async (app: TestBusApp) => {
    apps.delete(app);
    await app.stop();
  };

  const catalog = await start('catalog', [catalogHandlers(probe), changeHandlers(probe, failures)]);
  const enrolment = await start('enrolment', [subscriberHandlers(probe, 'enrolment')]);
  await start('identity', [subscriberHandlers(probe, 'identity')]);
  const gateway = await start('gateway', [listenerHandlers(probe, 'heard')], { databaseUrl: null });
  const operator = await start('operator', [], { databaseUrl: null });

  /** Resolves when both subscribers have handled the event. */
  const handled = async (what: string) => {
    await Promise.all(
      ['enrolment', 'identity'].map((name) => once(probe.signals, `${name} ${what}`)),
    );
  };
  const publishFrom = (app: TestBusApp, what: string, event: typeof happened = happened) =>
    app.get(Database).transaction(() => app.get(Outbox).publish(event, { what }));

  return {
    server,
    log,
    probe,
    signals: probe.signals,
    failures,
    catalog,
    enrolment,
    gateway,
    bus: extendDefaultDeadline(gateway.get(BusClient)),
    operator: extendDefaultDeadline(operator.get(BusClient)),
    start,
    stop,
    handled,
    publishFrom,

    /** Publishes an event and waits until both subscribers have handled it. */
    publish: async (what: string, from = catalog): Promise<void> => {
      const done = handled(what);
      await publishFrom(from, what);
      await done;
    },

    effects: (app: TestBusApp, what: string) =>
      app.get(Database).many(effectRow, sql`SELECT id FROM effects WHERE what = ${what}`),

    stopAll: async (): Promise<void> => {
      for (const app of [...apps].reverse()) await stop(app);
      await server.drop();
    },
  };
}

/** A time within which a busy machine handles any number of requests that a suite sends. */
export const longTimeMs = 120_000;

/** Runs `work` in a request context with a deadline in `timeoutMs` milliseconds. */
export const within = <T>(timeoutMs: number, work: () => Promise<T>): Promise<T> =>
  runWithin(timeoutMs, work, 'suite');

/** Gives requests of `client` without a deadline of their own one that a busy machine keeps. */
function extendDefaultDeadline(client: BusClient): BusClient {
  const exchange = client.exchange.bind(client);
  client.exchange = (...request) =>
    currentRequestContext()
      ? exchange(...request)
      : runWithin(longTimeMs, () => exchange(...request));
  return client;
}

/** Resolves with the failure of a request; rejects if the request succeeds. */
export const failureOf = (request: Promise<unknown>): Promise<Failure> =>
  request.then(
    () => {
      throw new Error('the request did not fail');
    },
    (error: unknown) => error as Failure,
  );
