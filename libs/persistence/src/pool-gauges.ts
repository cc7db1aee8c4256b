import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

/** Shows how an app uses its connections to the database. */
export function showPool(registry: Registry, dataSource: DataSource): void {
  const { master: pool } = dataSource.driver as unknown as { master: pg.Pool };
  new Gauge({
    name: 'registrar_database_connections',
    help: 'Connections to the database, and work that waits for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      // What an idle one takes in a moment, such as the questions of this very scrape, does not wait.
      this.set({ state: 'waiting' }, Math.max(0, pool.waitingCount - pool.idleCount));
    },
  });
}
