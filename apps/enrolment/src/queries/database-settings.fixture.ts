import { type Database, openDatabase, raw, sql } from '@registrar/persistence';
import * as z from 'zod';
import { enrolmentSchema } from '../schema.ts';

/** Uses connections to a database that are opened while it has other settings: texts by the names of PostgreSQL. */
export async function withDatabaseSettings(
  database: Database,
  settings: Readonly<Record<string, string>>,
  use: (configured: Database) => Promise<void>,
): Promise<void> {
  const { name } = await database.one(
    z.object({ name: z.string() }),
    sql`SELECT current_database() AS name`,
  );
  const alter = raw(`ALTER DATABASE ${name}`);
  for (const [setting, value] of Object.entries(settings)) {
    await database.execute(sql`${alter} SET ${raw(`${setting} = '${value}'`)}`);
  }
  const { url } = database.dataSource.options as { url: string };
  const configured = await openDatabase(enrolmentSchema, url);
  try {
    await use(configured);
  } finally {
    await configured.dataSource.destroy();
    await database.execute(sql`${alter} RESET ALL`);
  }
}
