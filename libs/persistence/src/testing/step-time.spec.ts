import { describe, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import * as z from 'zod';
import { itemsSchema } from '../items.fixture.ts';
import { sql } from '../sql.ts';
import { stepTime } from './step-time.ts';
import { useDatabase } from './use-database.ts';

const hour = 3_600_000;

describe('stepTime', () => {
  const database = useDatabase(itemsSchema);
  const times = z.object({ transaction: z.date(), current: z.date() });
  const readTimes = (after: Date) =>
    database().one(
      times,
      sql`SELECT now() AS transaction, clock_timestamp() AS current WHERE now() > ${after}`,
    );

  it('moves now() and clock_timestamp() forward in statements that are prepared already', async () => {
    const long = new Date(0);
    for (let use = 0; use < 3; use += 1) await readTimes(long);
    const started = clock.now();

    await stepTime(3_600, database());
    await stepTime(3_600, database());

    expect(clock.now() - started).toBeGreaterThanOrEqual(2 * hour);
    const { transaction, current } = await readTimes(long);
    expect(transaction.getTime()).toBeGreaterThan(started + 1.9 * hour);
    expect(current.getTime()).toBeGreaterThanOrEqual(transaction.getTime());
  });

  it('moves the defaults of columns forward', async () => {
    await database().execute(sql`CREATE TABLE stamps (at timestamptz DEFAULT now())`);
    await stepTime(3_600, database());

    const { at } = await database().one(
      z.object({ at: z.date() }),
      sql`INSERT INTO stamps DEFAULT VALUES RETURNING at`,
    );

    expect(at.getTime()).toBeGreaterThan(Date.now() + 0.9 * hour);
  });
});
