import type { Database } from '#libs/persistence';
import { sampledGauge } from '#libs/platform';
import type { Registry } from 'prom-client';

/**
 * Shows how many events are still in an outbox, and for how long, and how many came in vain. Every
 * replica sees the same.
 */
export function showOutbox(registry: Registry, database: Database): void {
  sampledGauge(
    registry,
    {
      name: 'registrar_outbox_events',
      help: 'Events in the outbox: waiting to be delivered, or parked because they cannot be.',
      label: 'state',
    },
    async () => {
      const [counted] = await database.query<{ waiting: number; parked: number }>(
        `SELECT count(*) FILTER (WHERE parked_at IS NULL)::float AS waiting,
                count(parked_at)::float AS parked
         FROM outbox`,
      );
      return { ...counted };
    },
  );
  sampledGauge(
    registry,
    {
      name: 'registrar_parked_events',
      help: 'Events that the app could not handle, and keeps for its operator.',
    },
    async () => {
      const [counted] = await database.query<{ parked: number }>(
        'SELECT count(*)::float AS parked FROM parked_events',
      );
      return counted?.parked ?? 0;
    },
  );
  sampledGauge(
    registry,
    {
      name: 'registrar_outbox_oldest_seconds',
      help: 'Age of the event that has waited longest to be delivered; 0 when none waits.',
    },
    async () => {
      const [oldest] = await database.query<{ age: number }>(
        `SELECT extract(epoch FROM now() - created_at)::float AS age
         FROM outbox WHERE parked_at IS NULL ORDER BY id LIMIT 1`,
      );
      return oldest?.age ?? 0;
    },
  );
}
