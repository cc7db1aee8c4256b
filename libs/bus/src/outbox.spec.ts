import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('publishes events by the statement that makes them true, in a transaction or without', async () => {
    await database.execute(sql`DELETE FROM outbox`);
    relays = 0;
    const payloads = sql`SELECT jsonb_build_object('number', n) AS payload FROM changed ORDER BY n`;
    const publish = () =>
      outbox.publishWith(counted, payloads, (insertion) =>
        database.execute(
          sql`WITH changed AS (SELECT generate_series(1, 3) AS n), events AS (${insertion})
              SELECT FROM changed`,
        ),
      );
    expect([await publish(), relays]).toEqual([3, 1]);
    await database.transaction(async () => {
      await publish();
      expect(relays).toBe(1);
    });
    expect(relays).toBe(2);
    const numbers = (await events()).map(({ payload }) => payload);
    const once = [{ number: 1 }, { number: 2 }, { number: 3 }];
    expect(numbers).toEqual([...once, ...once]);
  });

  it('rejects events outside of a transaction', async () => {
    await expect(outbox.publish(counted, { number: 1 })).rejects.toThrow('in a transaction');
    await expect(outbox.publishAll(counted, [])).rejects.toThrow('in a transaction');
  });
});
