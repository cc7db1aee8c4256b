import type { DataSource } from 'typeorm';
import pg from 'pg';
import { reachServer } from './reach-server.ts';

/**
 * Brings a context's schema to the newest version. Several replicas may start at once: an
 * advisory lock lets one of them work while the others wait. Extensions live in `public`.
 */
export async function migrate(
  dataSource: DataSource,
  context: { schema: string; url: string; extensions: readonly string[] },
): Promise<void> {
  const lock = await reachServer({
    connectionString: context.url,
    application_name: 'registrar migrations',
  });
  try {
    await lock.query(`SELECT pg_advisory_lock(hashtext('registrar migrations'))`);
    for (const extension of context.extensions) {
      await lock.query(
        `CREATE EXTENSION IF NOT EXISTS ${pg.escapeIdentifier(extension)} SCHEMA public`,
      );
    }
    await lock.query(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(context.schema)}`);
    await dataSource.initialize();
    await dataSource.runMigrations({ transaction: 'each' });
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  } finally {
    await lock.end();
  }
}
