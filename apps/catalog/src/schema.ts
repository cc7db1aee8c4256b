import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { Catalog1790000000000 } from './migrations/1790000000000-catalog.migration.ts';

/** The catalog's part of the database. */
export const catalogSchema: ContextSchema = {
  name: 'catalog',
  entities: [],
  migrations: [...busMigrations, Catalog1790000000000],
};
