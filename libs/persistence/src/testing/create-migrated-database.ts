import { createTestDatabase, type TestDatabase, testPostgresVariable } from '@registrar/testing';
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { ContextSchema } from '../context-data-source.ts';
import { openDatabase } from '../persistence.module.ts';
import { sql } from '../sql.ts';

/**
 * Creates a database with the migrated schema of a context. The first suite of a run migrates a
 * template; every database is a copy of it.
 */
export async function createMigratedDatabase(schema: ContextSchema): Promise<TestDatabase> {
  const template = templateNameOf(schema);
  const client = new pg.Client({ connectionString: process.env[testPostgresVariable] });
  await client.connect();
  try {
    // Until the connection ends: the workers of a run migrate one template.
    await client.query(sql`SELECT pg_advisory_lock(hashtext(${template}))`);
    const found = await client.query(sql`SELECT FROM pg_database WHERE datname = ${template}`);
    if (found.rowCount === 0) {
      const { url } = await createTestDatabase();
      const { dataSource } = await openDatabase(schema, url);
      await dataSource.destroy();
      // Renamed when it is complete.
      const name = new URL(url).pathname.slice(1);
      await client.query(`ALTER DATABASE ${name} RENAME TO ${template}`);
    }
  } finally {
    await client.end();
  }
  return createTestDatabase(template);
}

/** A name that changes with the migrations. */
function templateNameOf({ name, migrations }: ContextSchema): string {
  const hash = createHash('sha256').update(migrations.map(String).join('\n')).digest('hex');
  return `template_${name}_${hash.slice(0, 16)}`;
}
