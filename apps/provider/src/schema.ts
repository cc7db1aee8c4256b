import { busMigrations } from '@registrar/bus';
import type { ContextSchema } from '@registrar/persistence';
import { Provider1790000000000 } from './migrations/1790000000000-provider.migration.ts';

/** The provider's schema in the database. */
export const providerSchema: ContextSchema = {
  name: 'provider',
  entities: [],
  migrations: [...busMigrations, Provider1790000000000],
};
