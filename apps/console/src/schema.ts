import type { ContextSchema } from '@registrar/persistence';
import { Console1790000000000 } from './migrations/1790000000000-console.migration.ts';

/** The console's part of the database. */
export const consoleSchema: ContextSchema = {
  name: 'console',
  entities: [],
  migrations: [Console1790000000000],
};
