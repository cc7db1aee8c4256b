import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineEvent } from '#libs/contracts';
import { type Database, openDatabase } from '#libs/persistence';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
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
  let kicks = 0;

  beforeAll(async () => {
    server = await createTestDatabase();
    const schema = { name: 'catalog', entities: [], migrations: busMigrations };
    database = await openDatabase(schema, server.url);
    outbox = new Outbox(database, () => {
      kicks += 1;
    });
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await server.drop();
  });

  const written = () => database.query('SELECT name, payload, subscribers FROM outbox ORDER BY id');

  it('takes many events by one statement, in their order, when the transaction commits', async () => {
    const numbers = Array.from({ length: 1000 }, (_, number) => ({ number }));
    const undone = database.transaction(async () => {
      await outbox.publishAll(counted, numbers);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await written(), kicks]).toEqual([[], 0]);

    await database.transaction(() => outbox.publishAll(counted, numbers));
    const { name, subscribers } = counted;
    expect(await written()).toEqual(
      numbers.map((payload) => ({ name, payload, subscribers: [...subscribers] })),
    );
    expect(kicks).toBe(1);
  });

  it('takes nothing outside of a transaction', async () => {
    await expect(outbox.publish(counted, { number: 1 })).rejects.toThrow('in a transaction');
    await expect(outbox.publishAll(counted, [])).rejects.toThrow('in a transaction');
  });
});
