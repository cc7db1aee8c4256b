import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

/** The connections of an app. */
export const poolOf = (dataSource: DataSource): pg.Pool =>
  (dataSource.driver as unknown as { master: pg.Pool }).master;

/** Registers a gauge of the connections in an app's pool. */
export function registerPoolGauges(registry: Registry, dataSource: DataSource): void {
  const pool = poolOf(dataSource);
  new Gauge({
    name: 'registrar_database_connections',
    help: 'Connections to the database by state, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      // Idle connections serve some of the queue at once, such as the queries of this scrape.
      this.set({ state: 'waiting' }, Math.max(0, pool.waitingCount - pool.idleCount));
    },
  });
}
