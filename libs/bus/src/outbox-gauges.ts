import { type Database, sql } from '@registrar/persistence';
import { sampledGauge } from '@registrar/platform';
import type { Registry } from 'prom-client';
import * as z from 'zod';

const countsRow = z.object({ waiting: z.number(), parked: z.number() });
const countRow = z.object({ count: z.number() });
const ageRow = z.object({ age: z.number() });

/**
 * Registers the gauges of waiting and parked events (docs/operations.md, Monitoring). They read the
 * database, so all replicas of a context report the same values.
 */
export function registerOutboxGauges(registry: Registry, database: Database): void {
  sampledGauge(
    registry,
    {
      name: 'registrar_outbox_events',
      help: 'Events in the outbox: waiting for delivery, or parked because they cannot be delivered.',
      label: 'state',
    },
    () =>
      database.one(
        countsRow,
        sql`SELECT count(*) FILTER (WHERE parked_at IS NULL) AS waiting, count(parked_at) AS parked
            FROM outbox`,
      ),
  );
  sampledGauge(
    registry,
    {
      name: 'registrar_parked_events',
      help: 'Parked (dead-lettered) events: received events that could not be handled.',
    },
    async () => (await database.one(countRow, sql`SELECT count(*) FROM parked_events`)).count,
  );
  sampledGauge(
    registry,
    {
      name: 'registrar_outbox_oldest_seconds',
      help: 'Age of the oldest event that waits in the outbox; 0 when none waits.',
    },
    async () => {
      const oldest = await database.maybeOne(
        ageRow,
        sql`SELECT extract(epoch FROM now() - created_at)::float AS age
            FROM outbox WHERE parked_at IS NULL ORDER BY id LIMIT 1`,
      );
      return oldest?.age ?? 0;
    },
  );
}
