import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineEvent } from '@registrar/contracts';
import { type Database, openDatabase, sql } from '@registrar/persistence';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import * as z from 'zod';
import { busMigrations } from './migrations.ts';
import { Outbox } from './outbox.ts';

const counted = defineEvent('catalog.counted', {
  payload: z.object({ number: z.int() }),
  subscribers: ['enrolment', 'crawler'],
});

describe('the outbox', () => {
  let server: TestDatabase;
  let database: Database;
  let outbox: Outbox;
  let relays = 0;

  beforeAll(async () => {
    server = await createTestDatabase();
    const schema = { name: 'catalog', entities: [], migrations: busMigrations };
    database = await openDatabase(schema, server.url);
    outbox = new Outbox(database, () => {
      relays += 1;
    });
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await server.drop();
  });

  const events = () =>
    database.many(
      z.object({ name: z.string(), payload: z.unknown(), subscribers: z.array(z.string()) }),
      sql`SELECT name, payload, subscribers FROM outbox ORDER BY id`,
    );

  it('publishes events in order, and relays them after the commit', async () => {
    const numbers = Array.from({ length: 1000 }, (_, number) => ({ number }));
    const rolledBack = database.transaction(async () => {
      await outbox.publishAll(counted, numbers);
      throw new Error('roll back');
    });
    await expect(rolledBack).rejects.toThrow('roll back');
    expect([await events(), relays]).toEqual([[], 0]);

    await database.transaction(() => outbox.publishAll(counted, numbers));
    const { name, subscribers } = counted;
    expect(await events()).toEqual(
      numbers.map((payload) => ({ name, payload, subscribers: [...subscribers] })),
    );
    expect(relays).toBe(1);
  });

  it('rejects events outside of a transaction', async () => {
    await expect(outbox.publish(counted, { number: 1 })).rejects.toThrow('in a transaction');
    await expect(outbox.publishAll(counted, [])).rejects.toThrow('in a transaction');
  });
});
