import { type ContextSchema, Database, PersistenceModule } from '#libs/persistence';
import { runOperation } from '#libs/platform';
import { type Failure } from '#libs/contracts';
import { createTestDatabase, testLogger } from '#libs/testing';
import { Module, type Type } from '@nestjs/common';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  catalogHandlers,
  happened,
  listenerHandlers,
  Stage,
  subscriberHandlers,
} from './bus-apps.fixture.ts';
import { changeHandlers, type Endings } from './change-apps.fixture.ts';
import { BusClient } from './client.ts';
import { busMigrations } from './migrations.ts';
import { Outbox } from './outbox.ts';
import { type BusApp, startApp } from './start-app.ts';
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

export type BusSystem = Awaited<ReturnType<typeof startBusSystem>>;

/**
 * Starts the apps of the bus's suites on `transport`: `catalog` answers and publishes, `enrolment`
 * and `identity` handle its events, `gateway` asks and listens.
 */
export async function startBusSystem(transport: BusTransport) {
  const server = await createTestDatabase();
  const log = testLogger('bus');
  const stage = new Stage();
  const endings: Endings = new Map();
  const apps = new Set<BusApp>();

  const start = async (
    name: string,
    controllers: Type[],
    on: { databaseUrl?: string | null; transport?: BusTransport; managementPort?: number } = {},
  ) => {
    const { databaseUrl = server.url } = on;
    const migrations = [...busMigrations, Effects1700000000001];
    const schema: ContextSchema = { name, entities: [], migrations };
    const imports = databaseUrl ? [PersistenceModule.forContext(schema, databaseUrl)] : [];
    const module = class {};
    Module({ imports, controllers })(module);
    const { logger } = log;
    const app = await startApp({ name, module, transport, logger, ...on });
    apps.add(app);
    return app;
  };
  const stop = async (app: BusApp) => {
    apps.delete(app);
    await app.stop();
  };

  const catalog = await start('catalog', [catalogHandlers(stage), changeHandlers(stage, endings)]);
  const enrolment = await start('enrolment', [subscriberHandlers(stage, 'enrolment')]);
  await start('identity', [subscriberHandlers(stage, 'identity')]);
  const gateway = await start('gateway', [listenerHandlers(stage, 'heard')], { databaseUrl: null });

  /** Resolves when both subscribers have handled it. */
  const handled = async (what: string) => {
    await Promise.all(['enrolment', 'identity'].map((name) => once(stage.told, `${name} ${what}`)));
  };
  const publishFrom = (app: BusApp, what: string, event: typeof happened = happened) =>
    app.get(Database).transaction(() => app.get(Outbox).publish(event, { what }));

  return {
    server,
    log,
    stage,
    told: stage.told,
    endings,
    catalog,
    enrolment,
    gateway,
    bus: gateway.get(BusClient),
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

    effects: (app: BusApp, what: string) =>
      app.get(Database).query('SELECT id FROM effects WHERE what = $1', [what]),

    stopAll: async (): Promise<void> => {
      for (const app of [...apps].reverse()) await stop(app);
      await server.drop();
    },
  };
}

/** Runs `work` in an operation that ends after so many milliseconds. */
export const within = <T>(milliseconds: number, work: () => Promise<T>): Promise<T> =>
  runOperation({ requestId: 'suite', deadline: Date.now() + milliseconds }, work);

export const failureOf = (request: Promise<unknown>): Promise<Failure> =>
  request.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as Failure,
  );

/** Resolves when `check` answers something; for what announces itself nowhere. */
export async function until<T>(
  check: () => Promise<T | null | false> | T | null | false,
): Promise<T> {
  for (;;) {
    const answer = await check();
    if (answer !== null && answer !== false) return answer;
    await pause(20);
  }
}
