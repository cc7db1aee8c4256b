import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

/** Registers a gauge of the connections in an app's pool. */
export function registerPoolGauges(registry: Registry, dataSource: DataSource): void {
  const { master: pool } = dataSource.driver as unknown as { master: pg.Pool };
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
