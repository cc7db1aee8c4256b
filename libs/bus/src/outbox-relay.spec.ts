import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineEvent } from '#libs/contracts';
import { type Database, openDatabase } from '#libs/persistence';
import { createTestDatabase, testLogger, type TestDatabase } from '#libs/testing';
import * as z from 'zod';
import type { OutgoingEvent } from './inbox.ts';
import { busMigrations } from './migrations.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { Outbox } from './outbox.ts';

const told = defineEvent('catalog.told', {
  payload: z.object({ what: z.string() }),
  subscribers: ['enrolment'],
});

describe('the relay of an outbox', () => {
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
  const relay = (database: Database, deliver: (event: OutgoingEvent) => Promise<void>) => {
    const started = new OutboxRelay(database, { usable: true, deliver }, testLogger('bus').logger);
    relays.push(started);
    started.start();
  };
  const publish = (database: Database) =>
    database.transaction(() =>
      new Outbox(database, () => undefined).publish(told, { what: 'something' }),
    );

  it('that dies in the midst of it leaves its events to the others, at once', async () => {
    const [dying, living] = [await open(), await open()];
    const delivery = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await publish(dying);
    relay(dying, () => {
      begun.resolve();
      return delivery.promise;
    });
    await begun.promise;

    const delivered = Promise.withResolvers<OutgoingEvent>();
    relay(living, async (event) => delivered.resolve(event));
    // As when its process is killed: PostgreSQL loses the connection.
    await living.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    expect(await delivered.promise).toMatchObject({ name: told.name });
    delivery.resolve();
  });

  it('passes no event on that another has in hand', async () => {
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
    const looked = Promise.withResolvers<void>();
    relay(other, async (event) => {
      deliveries.push(event.messageId);
      looked.resolve();
    });
    // What the other does get, it gets after it has passed over the first.
    await publish(other);
    await looked.promise;
    delivery.resolve();
    expect(new Set(deliveries).size).toBe(deliveries.length);
  });
});
