import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineEvent } from '@registrar/contracts';
import { type Database, openDatabase, sql } from '@registrar/persistence';
import { createTestDatabase, eventually, testLogger, type TestDatabase } from '@registrar/testing';
import { from } from 'rxjs';
import * as z from 'zod';
import type { OutgoingEvent } from './event-message.ts';
import { busMigrations } from './migrations.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { Outbox } from './outbox.ts';

const noted = defineEvent('catalog.noted', {
  payload: z.object({ what: z.string() }),
  subscribers: ['enrolment'],
});

describe('the outbox relay', () => {
  let server: TestDatabase;
  let databases: Database[];
  let relays: OutboxRelay[];
  beforeEach(async () => {
    server = await createTestDatabase();
    databases = [];
    relays = [];
  });
  afterEach(async () => {
    for (const relay of relays) await relay.stop();
    for (const { dataSource } of databases) await dataSource.destroy();
    await server.drop();
  });

  const open = async (): Promise<Database> => {
    const schema = { name: 'catalog', entities: [], migrations: busMigrations };
    const database = await openDatabase(schema, server.url);
    databases.push(database);
    return database;
  };
  const relay = (
    database: Database,
    deliver: (event: OutgoingEvent) => Promise<void>,
    { logger } = testLogger('bus'),
  ) => {
    const started = new OutboxRelay(
      database,
      { usable: true, emit: (_name, event) => from(deliver(event as OutgoingEvent)) as never },
      logger,
    );
    relays.push(started);
    started.start();
  };
  const publish = (database: Database) =>
    database.transaction(() =>
      new Outbox(database, () => undefined).publish(noted, { what: 'something' }),
    );

  it('a relay that dies during a delivery leaves its events to other replicas at once', async () => {
    const [dying, surviving] = [await open(), await open()];
    const delivery = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await publish(dying);
    relay(dying, () => {
      begun.resolve();
      return delivery.promise;
    });
    await begun.promise;

    const delivered = Promise.withResolvers<OutgoingEvent>();
    relay(surviving, async (event) => delivered.resolve(event));
    // PostgreSQL loses the connection, as it does when the process is killed.
    await surviving.execute(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    expect(await delivered.promise).toMatchObject({ name: noted.name });
    delivery.resolve();
  });

  it('a relay skips events that another relay has locked', async () => {
    const [one, other] = [await open(), await open()];
    const delivery = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const deliveries: string[] = [];
    await publish(one);
    relay(one, (event) => {
      deliveries.push(event.messageId);
      begun.resolve();
      return delivery.promise;
    });
    await begun.promise;
    const secondDelivered = Promise.withResolvers<void>();
    relay(other, async (event) => {
      deliveries.push(event.messageId);
      secondDelivered.resolve();
    });
    // The second relay has skipped the first event when it delivers the second one.
    await publish(other);
    await secondDelivered.promise;
    delivery.resolve();
    expect(new Set(deliveries).size).toBe(deliveries.length);
  });

  it('counts an attempt that failed by an error of the program, and logs its stack', async () => {
    const database = await open();
    const log = testLogger('bus');
    await publish(database);
    const delivered = Promise.withResolvers<void>();
    relay(
      database,
      async () => {
        delivered.resolve();
        (undefined as unknown as () => void)();
      },
      log,
    );
    await delivered.promise;
    await eventually('the attempt is logged', () => log.lines().length > 0);
    expect(log.lines()).toMatchObject([
      { level: 'error', msg: 'an event will be retried', attempts: 1, err: { type: 'TypeError' } },
    ]);
  });
});
