import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from '@registrar/testing';
import type { ContextSchema } from '../context-data-source.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../persistence.module.ts';
import { createMigratedDatabase } from './create-migrated-database.ts';

/**
 * Opens a database of its own with a migrated schema, for the tests of a `describe`.
 *
 * @returns a function that returns the database; call it in hooks and tests
 */
export function useDatabase(schema: ContextSchema): () => Database {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await createMigratedDatabase(schema);
    database = await openDatabase(schema, server.url);
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await server.drop();
  });
  return () => database;
}
